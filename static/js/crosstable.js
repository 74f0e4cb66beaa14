// The arrow keys lead from one number of a cross table to the next in that direction; only one is a stop of the tab key.
const table = document.querySelector(".cross table")
const links = [...(table?.querySelectorAll("td a") ?? [])]
const place = (/** @type {Element} */ link) => [link.closest("tr")?.rowIndex ?? 0, link.closest("td")?.cellIndex ?? 0]
let stop = links[0]

for (const link of links) link.tabIndex = link === stop ? 0 : -1

table?.addEventListener("focusin", ({target}) => {
  const link = links.find((one) => one === target)
  if (!link) return
  stop.tabIndex = -1
  stop = link
  stop.tabIndex = 0
})

table?.addEventListener("keydown", (event) => {
  /** @type {Record<string, number[]>} */
  const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}
  const step = steps[event.key]
  const from = links.find((one) => one === event.target)
  if (!step || !from || event.ctrlKey || event.altKey || event.metaKey) return
  const mirrored = getComputedStyle(table).direction === "rtl" ? -1 : 1
  const [row, column] = place(from)
  const [down, right] = [step[0], step[1] * mirrored]
  const ahead = links.filter((link) => {
    const [at, across] = place(link)
    return down ? (across === column && (at - row) * down > 0) : (at === row && (across - column) * right > 0)
  })
  const next = down + right > 0 ? ahead[0] : ahead.at(-1)
  event.preventDefault()
  next?.focus()
})
