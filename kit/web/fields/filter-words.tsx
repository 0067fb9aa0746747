import type { ComponentType } from 'react'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { useCall } from '../api/index.ts'
import { calls } from '../auth/index.ts'
import { formatDate, formatList, formatNumber, nameOf, useLabel, useLanguage, useT } from '../i18n/index.ts'

/**
 * Web half of a field kind for filtering, as far as a list always needs it: whether it can be filtered, and the text
 * of a filter's chip after its label. The inputs are in `filters.tsx`, fetched when one is opened.
 */
export type FilterWords = ComponentType<{ readonly field: Field; readonly value: unknown }>
/** From … to, both ends optional. */
export interface Range {
  readonly from?: unknown
  readonly to?: unknown
}

const plain: FilterWords = ({ value }) => <bdi>{String(value)}</bdi>

function RangeWords({ from, to }: { from: string | null; to: string | null }) {
  const t = useT('kit-screens')
  return from !== null && to !== null ? (
    <bdi>{t('range_between', { from, to })}</bdi>
  ) : (
    <bdi>{from !== null ? t('range_from', { from }) : t('range_to', { to })}</bdi>
  )
}
const range =
  (show: (value: unknown) => string): FilterWords =>
  ({ value }) => {
    const { from, to } = value as Range
    return <RangeWords from={from === undefined ? null : show(from)} to={to === undefined ? null : show(to)} />
  }
const numbers = range((v) => formatNumber(v as number))
const amounts = range((v) => formatNumber(Number(v) / 100, 2))
const days = range((v) => formatDate(String(v)))

const oneOf: FilterWords = ({ field, value }) => {
  const say = useLabel()
  const words = (value as unknown[])
    .map((v) => field.choices?.find((c) => c.value === v))
    .map((c) => (c ? say(c.label) : ''))
  return <bdi>{formatList(words.filter(Boolean))}</bdi>
}

const yesNo: FilterWords = ({ value }) => {
  const t = useT('kit-screens')
  return t(value ? 'yes' : 'no')
}

const records: FilterWords = ({ field, value }) => {
  const lang = useLanguage()
  const ids = Array.isArray(value) ? (value as number[]) : [value as number]
  const { data } = useCall(calls.lookup, { body: { name: field.to!, ids, limit: ids.length } }, { staleTime: 60_000 })
  return <bdi>{data ? formatList(data.data.map((o) => nameOf(o, lang))) : '…'}</bdi>
}

/** A missing kind does not compile; null: the kind cannot be filtered. */
export const FILTER_WORDS: { readonly [K in FieldKind]: FilterWords | null } = {
  text: plain,
  localText: plain,
  longText: plain,
  richText: null,
  code: plain,
  email: plain,
  phone: plain,
  nationalId: plain,
  passport: plain,
  integer: numbers,
  decimal: numbers,
  number: numbers,
  money: amounts,
  date: days,
  instant: days,
  time: plain,
  flag: yesNo,
  choice: oneOf,
  choices: oneOf,
  flags: null,
  lookup: records,
  lookups: records,
  file: yesNo,
  rows: null,
  json: null,
}
