/* The token is the one of the cookie: a sign-in in another tab may have changed it, and what comes by a socket has none. */

/** It, as it is now. */
export const token = () => document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]+)/)?.[1] ?? "";

document.addEventListener("formdata", ({ target, formData }) => {
  if (target.getAttribute("method") === "post" && token()) formData.set("csrfmiddlewaretoken", token());
});
document.addEventListener("htmx:configRequest", ({ detail }) => (detail.headers["X-CSRFToken"] = token()));
