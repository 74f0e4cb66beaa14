/* What the modules ask for when they are loaded, as on a page that has nothing of it. Import it before them. */

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
globalThis.document = { documentElement: { lang: "en" }, querySelector: () => null, querySelectorAll: () => [] };
