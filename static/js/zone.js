/* Tells the site in which time zone the reader is, so that all pages after the first show times as their clock does. */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
const secure = location.protocol === "https:" ? "; secure" : "";
if (zone && !document.cookie.split("; ").includes(`zone=${zone}`))
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
