/** The way back from a provider's page: it does not know the key of what is paid for, so this browser remembers the address. */

/** Remembers the page that is shown now under a name, as long as the tab is open. */
export function keepWayBack(name: string): void {
  try {
    sessionStorage.setItem(`way back ${name}`, window.location.pathname)
  } catch {
    // Without storage the mail has the link.
  }
}
/** The page that was remembered; null: none that begins like this. */
export function wayBack(name: string, begins: string): string | null {
  try {
    const path = sessionStorage.getItem(`way back ${name}`)
    return path?.startsWith(begins) ? path : null
  } catch {
    return null
  }
}
