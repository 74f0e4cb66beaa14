/* Requests to our own server, with the token from the cookie: a sign-in in another tab may have changed it. */

const token = () => document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]+)/)?.[1] ?? "";

/** POST fields (pairs of name and value) for a fragment. */
export function post(url, fields) {
  const body = new URLSearchParams(fields);
  body.delete("csrfmiddlewaretoken"); // as old as the page, and read before the header
  const headers = { "HX-Request": "true", "X-CSRFToken": token() };
  return fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(10_000) });
}

/** GET a fragment. */
export const get = (url) => fetch(url, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(10_000) });

// A form that came by the socket has no token, one of an old page may have an old one.
document.addEventListener("formdata", ({ target, formData }) => {
  if (target.getAttribute("method") === "post" && token()) formData.set("csrfmiddlewaretoken", token());
});
