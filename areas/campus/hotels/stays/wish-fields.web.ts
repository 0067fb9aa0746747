import { f } from '#kit/contract/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { STAY_UNITS, type BedWish } from './stay.contract.ts'

type Say = (
  key:
    | 'paid_by'
    | 'term'
    | 'first_night'
    | 'leaves_on'
    | 'hostel'
    | 'kind'
    | 'distance'
    | 'mates_codes'
    | 'mates_help'
    | 'note'
    | 'any_help'
    | 'distance_help',
) => string
interface Offer {
  readonly id: number
  readonly name: string
  readonly name_local?: string | null
}
const choices = (list: readonly Offer[]) =>
  list.map(({ id, name, name_local }) => ({ value: id, label: [name, name_local ?? name] as const }))

/** What is asked for, as fields of a form; of a term its days are not asked. */
export const wishFields = (
  t: Say,
  { hostels, kinds, terms }: { hostels: readonly Offer[]; kinds: readonly Offer[]; terms: readonly Offer[] },
  typed: Readonly<Record<string, unknown>>,
) => ({
  unit: f.choice(asLabel(t('paid_by')), terms.length ? STAY_UNITS : STAY_UNITS.filter((one) => one.value !== 'term'), {
    required: true,
  }),
  ...(typed.unit === 'term'
    ? { term_id: f.choice(asLabel(t('term')), choices(terms), { required: true }) }
    : {
        from_day: f.date(asLabel(t('first_night')), { required: true }),
        until_day: f.date(asLabel(t('leaves_on')), { required: true }),
      }),
  hostel_id: f.choice(asLabel(t('hostel')), choices(hostels), { help: asLabel(t('any_help')) }),
  kind_id: f.choice(asLabel(t('kind')), choices(kinds), { help: asLabel(t('any_help')) }),
  distance_km: f.integer(asLabel(t('distance')), { max: 20_000, help: asLabel(t('distance_help')) }),
  mates: f.text(asLabel(t('mates_codes')), { max: 240, help: asLabel(t('mates_help')) }),
  note: f.longText(asLabel(t('note')), { max: 1000 }),
})

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)
const number = (value: unknown): number | null =>
  value === null || value === undefined || value === '' ? null : Number(value)

/** What was typed, as it is sent. */
export const wishOf = (typed: Readonly<Record<string, unknown>>, key: string): BedWish => ({
  unit: (text(typed.unit) ?? 'night') as BedWish['unit'],
  ...(typed.unit === 'term'
    ? { term_id: number(typed.term_id) }
    : { from_day: text(typed.from_day), until_day: text(typed.until_day) }),
  hostel_id: number(typed.hostel_id),
  kind_id: number(typed.kind_id),
  distance_km: number(typed.distance_km),
  mates: (text(typed.mates) ?? '').split(/[\s,،;]+/).filter(Boolean),
  note: text(typed.note) ?? null,
  key,
})
