import { send } from '../api/client.ts'
import { calls } from '../auth/calls.ts'
import type { University } from '../auth/calls.ts'
import { createStoredStore } from '../store.ts'
import { parseHex } from './colour.ts'
import { DEFAULT_ACCENT } from './theme.ts'

const UNKNOWN: University = { name: '', name_local: '', short_name: null, accent: null, logo: null, favicon: null, sso: false, admission: false }

/** The university as anyone may know it; remembered, so that the next visit begins in its colours. */
export const universityStore = createStoredStore<University>('ems.university', UNKNOWN, (kept) => ({ ...UNKNOWN, ...(kept as Partial<University>) }))
export const useUniversity = (): University => universityStore.use()
/** The chosen accent; a value that is no colour is ignored. */
export const accentOf = (u: University): string => (u.accent && parseHex(u.accent) ? u.accent : DEFAULT_ACCENT)

/** Asks for names, logo and accent. Without an answer what is remembered stays. */
export async function loadUniversity(): Promise<void> {
  try {
    const { data } = await send(calls.university)
    universityStore.set({ ...UNKNOWN, ...data })
  } catch {
    // The sign-in page works without.
  }
}
