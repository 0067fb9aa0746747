let pressed = false
const waiting: (() => void)[] = []
const released = (): void => {
  pressed = false
  // The click comes after the release, and goes to what stood under the pointer when it was pressed.
  setTimeout(() => {
    for (const work of waiting.splice(0)) work()
  })
}
document.addEventListener('pointerdown', () => (pressed = true), true)
for (const end of ['pointerup', 'pointercancel', 'dragend']) document.addEventListener(end, released, true)

/**
 * Does what changes the height of the page once the pointer is released: what is being pressed must not move away beneath
 * it, or the click is lost.
 */
export function afterPress(work: () => void): void {
  if (pressed) waiting.push(work)
  else work()
}
