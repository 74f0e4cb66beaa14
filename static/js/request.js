/* Requests to our own server, with the token from the cookie: a sign-in in another tab may have changed it. */

const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

/** POST fields (pairs of name and value) as htmx would. */
export function post(url, fields) {
  const body = new URLSearchParams(fields);
  body.delete("csrfmiddlewaretoken"); // as old as the page, and read before the header
  const headers = { "HX-Request": "true", "X-CSRFToken": token() };
  return fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(10_000) });
}

/** GET a fragment. */
export const get = (url) => fetch(url, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(10_000) });

// Forms that came by the socket have no token, and those of the page may have an old one.
addEventListener(
  "submit",
  ({ target: form }) => {
    if (form.getAttribute("method") !== "post") return;
    const name = "csrfmiddlewaretoken";
    let field = form.querySelector(`[name=${name}]`);
    if (!field) form.append((field = Object.assign(document.createElement("input"), { type: "hidden", name })));
    field.value = token() || field.value;
  },
  true,
);

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers["X-CSRFToken"] = token();
});
