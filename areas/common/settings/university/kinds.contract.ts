import { z } from 'zod'
import { failing, instant, safeText } from '#kit/contract/index.ts'
import type { Label } from '#kit/contract/index.ts'

/** Settings that are flags travel as the texts `true` and `false`, as the documents say. */
export const flagText = z.enum(['true', 'false'])
export const colour = z.string().refine((s) => /^#[0-9a-f]{6}$/i.test(s), failing('colour_not_valid'))
/** A zone by its name in the time zone database: `Africa/Cairo`. */
export const zone = z.string().refine((name) => {
  try {
    return /^[A-Z]\w+(?:\/[\w+-]+)*$/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}, failing('time_zone_not_valid'))
export const link = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)])
/** A kept picture by its id; empty: none. */
export const picture = z.string().regex(/^\d{0,9}$/)
/** A moment that the database holds, or none. */
export const moment = z.union([z.literal(''), instant])
/** An amount in whole units with two decimals at most; empty: none. */
export const amountText = z.string().regex(/^(?:\d{1,9}(?:\.\d{1,2})?)?$/)
export const mail = z.union([z.literal(''), z.email()])
export const days = z.string().refine((s) => /^\d{1,4}$/.test(s) && Number(s) <= 3650, failing('days_not_valid'))
/** Lines under a certificate, each the title of somebody who signs. */
export const signatures = safeText(300).refine(
  (s) => s.split('\n').filter((line) => line.trim()).length <= 4,
  failing('too_many_signatures'),
)

/** What the texts of certificates may name. */
export const CERTIFICATE_PLACES = [
  'name',
  'former_name',
  'code',
  'national_id',
  'nationality',
  'faculty',
  'program',
  'level',
  'year',
  'degree',
  'gpa',
  'classification',
  'graduation_term',
] as const
export type CertificatePlace = (typeof CERTIFICATE_PLACES)[number]
export const certificateText = safeText(2000, 1).refine(
  (text) => [...text.matchAll(/\{([^{}]*)\}/g)].every(([, place]) => CERTIFICATE_PLACES.includes(place as never)),
  failing('certificate_place_unknown', { places: CERTIFICATE_PLACES.map((place) => `{${place}}`).join(' ') }),
)

export interface SettingDefinition {
  readonly label: Label
  readonly group:
    | 'identity'
    | 'contact'
    | 'admission'
    | 'payment'
    | 'learning'
    | 'sign_in'
    | 'operation'
    | 'transfers'
    | 'housing'
    | 'services'
    | 'early_warning'
    | 'enrollment'
    | 'graduation_certificate'
  /** How it is asked where that is not a line of text. */
  readonly asked?: 'flag' | 'picture' | 'moment' | 'lines'
  readonly schema: z.ZodType
  /** Told to anyone, before signing in. */
  readonly public: boolean
  readonly initial: string
}
