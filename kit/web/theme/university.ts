import { setZone } from '#kit/contract/day.ts'
import { send } from '../api/client.ts'
import { calls } from '../auth/calls.ts'
import type { UniversityData } from '../auth/calls.ts'
import { createStoredStore } from '../store.ts'
import { parseHex } from './colour.ts'
import { DEFAULT_ACCENT } from './theme.ts'

/** The university as anyone may know it, before signing in. */
export interface University {
  readonly name: string
  readonly name_local: string
  readonly short_name: string
  /** `#rrggbb`; empty: the application's own. */
  readonly accent: string
  /** Address of a picture on this server; empty: the application's own sign. */
  readonly logo: string
  readonly favicon: string
  /** Zone by whose clock everything is told, `Africa/Cairo`; empty: not known yet. */
  readonly time_zone: string
  /** Types of users who come in by single sign-on. */
  readonly sso_types: readonly number[]
  /** The same by the federation, where that is a second way. */
  readonly federation_types: readonly number[]
  readonly admission_link: string
  /** Address of the learning platform; empty: none. */
  readonly lms_platform: string
  /** Hijri dates stand beside the others for who reads Arabic. */
  readonly hijri: boolean
  /** Months that begin on another day than Umm al-Qura reckons. */
  readonly hijri_months: readonly { readonly year: number; readonly month: number; readonly first_day: string }[]
  /** Closed for maintenance now. */
  readonly maintenance: boolean
  /** Announced times, where there are any. */
  readonly maintenance_from: string
  readonly maintenance_until: string
}

const universityFrom = (data: UniversityData): University => ({
  name: data.university_name ?? '',
  name_local: data.university_name_local ?? '',
  short_name: data.university_short_name ?? '',
  accent: data.accent_colour ?? '',
  logo: data.university_logo ?? '',
  favicon: data.favicon ?? '',
  time_zone: data.time_zone ?? '',
  sso_types: data.sso ? data.sso.split(',').map(Number) : [],
  federation_types: data.sso_saml ? data.sso_saml.split(',').map(Number) : [],
  admission_link: data.admission_link ?? '',
  lms_platform: data.lms_platform ?? '',
  hijri: data.hijri_dates === 'true',
  hijri_months: [...(data.hijri_months ?? '').matchAll(/(\d+)-(\d+)-(\d{4}-\d\d-\d\d)/g)].map(
    ([, year, month, first_day]) => ({ year: Number(year), month: Number(month), first_day: first_day! }),
  ),
  maintenance: data.maintenance === 'true',
  maintenance_from: data.maintenance_from ?? '',
  maintenance_until: data.maintenance_until ?? '',
})

/** Remembered, so that the next visit begins in its colours. */
export const universityStore = createStoredStore<University>('ems.university', universityFrom({}), (kept) => ({
  ...universityFrom({}),
  ...(kept as Partial<University>),
}))
// Until it is asked again, the zone of the last visit.
setZone(universityStore.get().time_zone)
export const useUniversity = (): University => universityStore.use()
/** The chosen accent; a value that is no colour is ignored. */
export const accentOf = (u: University): string => (parseHex(u.accent) ? u.accent : DEFAULT_ACCENT)

/** Asks for names, logo and accent. Without an answer what is remembered stays. */
export async function loadUniversity(): Promise<void> {
  try {
    const { data } = await send(calls.university)
    const u = universityFrom(data)
    universityStore.set(u)
    setZone(u.time_zone)
    if (u.favicon) document.querySelector('link[rel="icon"]')?.setAttribute('href', u.favicon)
  } catch {
    // The sign-in page works without.
  }
}
