import { useCall } from '#kit/web/api/index.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatMoney, formatPercent, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { settingsCalls, type PriceShown, type SettingsShown } from './settings.contract.ts'

export interface PartProps {
  readonly year: number
  readonly type: SettingsShown['accounts'][number]['type']
  /** undefined: on its way. */
  readonly settings: SettingsShown | undefined
}
/** What rows choose from. */
export const useLookups = () => useCall(settingsCalls.lookups).data?.data
type Lookups = NonNullable<ReturnType<typeof useLookups>>

export const MoneyCell = ({ amount, currency }: { amount: number; currency: string }) => (
  <Code>{formatMoney(amount, currency)}</Code>
)

/** A share that is kept per mille. */
export const shareText = (per_mille: number): string => formatPercent(per_mille / 1000, per_mille % 10 === 0 ? 0 : 1)

/** For whom a price is. */
export function Whom({ price }: { price: PriceShown }) {
  const t = useT('fees')
  const lang = useLanguage()
  const parts = [price.nationality_group, price.program, price.bylaw, price.faculty, price.course].filter(
    (one) => one !== null,
  )
  const others = [
    price.level === null ? null : t('level_n', { n: price.level }),
    price.entry_year && t('entered_in', { year: nameOf(price.entry_year, lang) }),
    price.repeats === null ? null : t(price.repeats ? 'repeated' : 'not_repeated'),
    price.flat &&
      t('flat_band', {
        from: price.flat.from / 100,
        to: price.flat.to / 100,
        amount: formatMoney(price.flat.amount, price.currency),
      }),
  ].filter((one) => one !== null)
  return (
    <small className={`${css.of} ${shared.dim}`}>
      {parts.map((part) => (
        <span key={`${part.id} ${part.name}`}>
          <Name row={part} />
        </span>
      ))}
      {others.map((text) => (
        <span key={text}>{text}</span>
      ))}
      {!parts.length && !others.length && <span>{t('for_all')}</span>}
    </small>
  )
}

/** Records as options of a select. */
export function useOptions() {
  const lang = useLanguage()
  return (rows: readonly (Lookups['faculties'][number] & { code?: string | null | undefined })[] | undefined) =>
    (rows ?? []).map((row) => ({ value: String(row.id), label: nameOf(row, lang) }))
}
