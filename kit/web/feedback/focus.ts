/** What passes: menus close and dialogs end, and the focus goes back to where it was before them. */
const PASSING = '[role="dialog"], [role="menu"], [role="listbox"]'
const PORTAL = '[data-mantine-shared-portal-node]'

/**
 * Returns the focus to the opener when a dialog closes, also if a menu was between them or the dialog disappears at
 * once; if the opener is gone (its row was removed), to the content. The shell starts it once. Returns a function that
 * stops it.
 */
export function keepFocus(): () => void {
  let opener: HTMLElement | null = null
  const note = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(PASSING)) opener = target
  }
  const back = () => {
    const { activeElement } = document
    if (
      (activeElement && activeElement !== document.body) ||
      document.querySelector('[role="dialog"][aria-modal="true"]')
    )
      return
    const target = opener?.isConnected ? opener : document.getElementById('content')
    target?.focus({ preventScroll: target !== opener })
  }
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
  watch.observe(document.body, { childList: true })
  follow()
  return () => {
    document.removeEventListener('focusin', note)
    watch.disconnect()
  }
}
