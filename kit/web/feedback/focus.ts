/** What passes: menus close and dialogs end, and the focus goes back to where it was before them. */
const PASSING = '[role="dialog"], [role="menu"], [role="listbox"]'
const DIALOG = '[role="dialog"][aria-modal="true"]'
const PORTAL = '[data-mantine-shared-portal-node]'
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled):not([type="hidden"]), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'
/** A press takes the focus away at once. */
const PRESS_MS = 300
/** What is not ready by then, with nothing at work any more, is done with: its button stays grey. */
const READY_MS = 800
const AT_WORK = '[data-loading="true"], [aria-busy="true"]'
/** What is worth standing on when the control itself is gone. */
const PLACE = '[data-field], [role="row"], tr, li, article, fieldset, section, [role="region"], form, main'

/** What is focused, and the way down to it, so that its place is found when it is gone. */
interface Held {
  readonly element: HTMLElement
  /** What is read of it: the same button of another row says the same. */
  readonly says: string
  readonly path: readonly { readonly parent: Element; readonly at: number }[]
  readonly page: string
  /** It stood in a dialog or a menu, which give the focus back themselves. */
  readonly passing: boolean
  /** The dialog it stood in: as long as that is open, the focus stays in it. */
  readonly dialog: HTMLElement | null
}

const saysOf = (element: Element): string => element.getAttribute('aria-label') ?? element.textContent.trim()

function hold(element: HTMLElement): Held {
  const path: { parent: Element; at: number }[] = []
  for (let one: Element = element; one.parentElement && one !== document.body; one = one.parentElement)
    path.push({ parent: one.parentElement, at: [...one.parentElement.children].indexOf(one) })
  const passing = element.closest(PASSING) !== null
  const dialog = element.closest<HTMLElement>(DIALOG)
  return { element, says: saysOf(element), path, page: location.pathname, passing, dialog }
}

const visible = (element: HTMLElement): boolean => element.checkVisibility()
const inside = (of: Element): HTMLElement[] => {
  const own = of.matches(FOCUSABLE) ? [of as HTMLElement] : []
  return [...own, ...of.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(visible)
}

/** What says how something looks, which any other thing may share with it. */
const LOOKS = /^data-(?:variant|size|position|orientation|with-|mantine-)/

/** The same thing drawn elsewhere: a card that was moved to another day. It is known by what it bears, and nothing else bears. */
function twinOf(element: HTMLElement): HTMLElement | null {
  for (const { name, value } of element.attributes) {
    if (!value || value === 'true' || (name !== 'id' && !name.startsWith('data-')) || LOOKS.test(name)) continue
    const [one, more] = document.querySelectorAll<HTMLElement>(`${element.localName}[${name}="${CSS.escape(value)}"]`)
    if (one && !more && one.matches(FOCUSABLE) && visible(one)) return one
  }
  return null
}

/**
 * Where somebody goes on whose control was removed: the same control of the row that took the place, else the first one
 * that stands there now, else what was around it.
 */
export function placeAfter({ element, path, says }: Pick<Held, 'element' | 'path' | 'says'>): HTMLElement | null {
  const moved = twinOf(element)
  if (moved) return moved
  const found = path.find(({ parent }) => parent.isConnected)
  if (!found) return null
  const { parent, at } = found
  const here = [parent.children[at], parent.children[at - 1]].filter((one) => one !== undefined)
  for (const one of here) {
    const alike = inside(one).find((control) => saysOf(control) === says)
    if (alike) return alike
  }
  const instead = here[0] && inside(here[0])[0]
  // The way past the menu shows itself where it is focused: what it leads to is stood on instead.
  if (instead?.matches('[href="#content"]')) return document.getElementById('content')
  if (instead) return instead
  const place = parent.closest<HTMLElement>(PLACE)
  if (place && !place.matches(FOCUSABLE)) place.tabIndex = -1
  return place
}

/** Takes the keyboard to words: after a link the heading is read, and the next Tab goes on from there. */
function standOn(words: HTMLElement | null): void {
  if (!words) return
  words.tabIndex = -1
  words.focus({ preventScroll: true })
}

/**
 * Keeps the focus where somebody goes on. It returns to the opener when a dialog closes, also if a menu was between them
 * or the dialog disappears at once. A control that is busy for a while gets it back; one that is removed by what it did,
 * or is grey for good, gives it to what stands in its place or around it, in a dialog within that, never to the page. The shell starts it once. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  let held: Held | null = null
  /** The last one outside dialogs and menus: what opened them. */
  let opener: Held | null = null
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    held = hold(target)
    if (!held.passing) opener = held
  }
  let pressed = -Infinity
  const press = () => (pressed = performance.now())
  /** Whoever presses beside everything wants the focus nowhere; what is removed, busy or closed by a key was not left. */
  const left = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (performance.now() - pressed > PRESS_MS) return
      if (target !== held?.element || !isLost() || !takes(held.element)) return
      held = null
      opener = null
    })
  const isLost = () => document.activeElement === null || document.activeElement === document.body
  const inDialog = () => document.querySelector(DIALOG) !== null
  const takes = (element: HTMLElement) => element.isConnected && !element.matches(':disabled') && visible(element)
  const back = () => {
    if (!isLost() || inDialog()) return
    // One that is busy with what was decided gets it once it is ready, or what takes its place.
    if (opener?.element.isConnected && !takes(opener.element)) return orElse(opener)
    const target = opener && (takes(opener.element) ? opener.element : placeAfter(opener))
    const place = target ?? document.getElementById('content')
    place?.focus({ preventScroll: place !== opener?.element })
  }
  let giving: ReturnType<typeof setTimeout> | undefined
  /** What is grey for good gives the focus to what is around it. */
  const orElse = (from: Held) => {
    clearTimeout(giving)
    giving = setTimeout(() => {
      if ((from !== held && from !== opener) || !isLost() || inDialog() || !from.element.isConnected) return
      if (takes(from.element)) from.element.focus({ preventScroll: true })
      else if (document.querySelector(AT_WORK)) orElse(from)
      else placeAfter(from)?.focus({ preventScroll: true })
    }, READY_MS)
  }
  /** What a dialog shows next has the focus: a button that was pressed in it is gone with the step before. */
  const within = (from: Held, dialog: HTMLElement) => {
    if (from.element.isConnected) return
    const place = placeAfter(from)
    const target = place && dialog.contains(place) ? place : dialog
    if (target === dialog) dialog.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  let waiting = false
  const again = () => {
    if (waiting || !held || !isLost()) return
    waiting = true
    // What is drawn now may take the focus itself.
    requestAnimationFrame(() => {
      waiting = false
      if (held?.dialog?.isConnected && isLost()) return within(held, held.dialog)
      const from = held?.passing ? opener : held
      if (!from || !isLost() || inDialog()) return
      if (from.element.isConnected) {
        if (takes(from.element)) from.element.focus({ preventScroll: true })
        else orElse(from)
      } else if (from.page !== location.pathname) standOn(document.querySelector('#content h1'))
      else placeAfter(from)?.focus({ preventScroll: true })
    })
  }
  const content = new MutationObserver(again)
  const watch = new MutationObserver((records) => {
    for (const record of records) {
      if (record.target === document.body) follow()
      // What is drawn now may take the focus itself.
      else if (record.removedNodes.length) setTimeout(back, 0)
    }
  })
  const followed = new WeakSet<Element>()
  // Dialogs stand in a place of their own at the end of the page, made when the first one opens.
  const follow = () => {
    for (const place of document.body.querySelectorAll(`:scope > ${PORTAL}`)) {
      if (followed.has(place)) continue
      followed.add(place)
      watch.observe(place, { childList: true })
    }
  }
  document.addEventListener('focusin', note)
  document.addEventListener('focusout', left)
  document.addEventListener('pointerdown', press, true)
  watch.observe(document.body, { childList: true })
  content.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  follow()
  return () => {
    clearTimeout(giving)
    document.removeEventListener('focusin', note)
    document.removeEventListener('focusout', left)
    document.removeEventListener('pointerdown', press, true)
    watch.disconnect()
    content.disconnect()
  }
}
