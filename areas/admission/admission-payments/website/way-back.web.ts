/** The way back from a provider's page: it knows the application, and not the key, so this browser remembers the address. */
const nameOf = (id: number | string): string => `application ${id}`

/** Remembers the page of the application, as long as the tab is open. */
export function keepWayBack(id: number): void {
  try {
    sessionStorage.setItem(nameOf(id), window.location.pathname)
  } catch {
    // Without storage the mail has the link.
  }
}
export function wayBack(id: string): string | null {
  try {
    const path = sessionStorage.getItem(nameOf(id))
    return path?.startsWith('/applicants/edit/') ? path : null
  } catch {
    return null
  }
}
