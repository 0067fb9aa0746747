import { Button, Pill } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatDate, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { isNumbered, type DimensionKey } from '../figures/dimensions.contract.ts'
import { AsToday, DimensionFilter } from '../figures/filters.web.tsx'
import { measureOf } from '../figures/measures.contract.ts'
import { MOST_DAYS, dimensionsOfSubject, filtersOfSubject, nearestReport, type OwnAsked } from './choices.rules.ts'
import { withFilter } from './edit.rules.ts'
import type { OwnAddress } from './address.web.ts'
import type { OwnFigures } from './own.contract.ts'
import bar from '../financial/financial.module.css'
import figures from '../figures/figures.module.css'
import css from './own.module.css'

/** Filters that are always there; the others come with a button, or where they are set. */
const FIRST = 3

/** What a report is narrowed by, and as of which days it is read. */
export function Narrow({ address, seen }: { address: OwnAddress; seen: OwnFigures | undefined }) {
  const t = useT('reports')
  const [all, setAll] = useState(false)
  const { asked, put } = address
  const { of } = measureOf(asked.measures[0]!)
  const report = nearestReport(asked.measures)
  const known = filtersOfSubject(of)
  // Time and place first, as in the reports of the system.
  const keys = [
    ...report.filters.filter((key) => known.includes(key)),
    ...known.filter((key) => !report.filters.includes(key)),
  ]
  const shown = keys.filter((key, at) => all || at < FIRST || asked.filters?.[key])
  const set = (changes: Readonly<Record<string, string | number | null>>) => {
    let next = asked
    for (const [name, value] of Object.entries(changes)) {
      if (name === 'every') next = { ...next, every: value !== null }
      else {
        const key = name as DimensionKey
        const one = value === null ? null : isNumbered(key) ? Number(value) : value
        next = withFilter(next, key, one === null ? null : [one])
      }
    }
    put(next)
  }
  const filters = (asked.filters ?? {}) as Record<string, (string | number)[]>
  return (
    <section className={css.narrow} aria-label={t('filters')}>
      {dimensionsOfSubject(of).includes('as_of') && <Days address={address} />}
      <div className={bar.bar}>
        {shown.map((key) => (
          <DimensionFilter
            key={`${key} ${filters[key]?.join() ?? ''} ${asked.every ? 'all' : ''}`}
            by={key}
            report={report}
            address={{ filters, set, every: asked.every ?? false }}
            seen={seen}
          />
        ))}
        {seen && <AsToday today={seen.today} set={(on) => put(withToday(asked, on))} />}
        {!all && shown.length < keys.length && (
          <Button className={figures.more} variant="subtle" onClick={() => setAll(true)}>
            {t('more_filters')}
          </Button>
        )}
      </div>
    </section>
  )
}

const withToday = ({ today: _before, ...asked }: OwnAsked, on: boolean): OwnAsked => ({
  ...asked,
  ...(on && { today: true }),
})

/** The same day of five years, the latest last. */
const inFiveYears = (monthDay: string): string[] => {
  const today = dayOf()
  const last = Number(today.slice(0, 4)) - (today.slice(5) < monthDay ? 1 : 0)
  return [4, 3, 2, 1, 0].map((back) => `${last - back}-${monthDay}`)
}

/** The days as of which students are counted. */
function Days({ address: { asked, put } }: { address: OwnAddress }) {
  const t = useT('reports')
  const lang = useLanguage()
  const days = asked.days ?? [dayOf()]
  const choose = (next: readonly string[]) => {
    const sorted = [...new Set(next)].toSorted().slice(-MOST_DAYS)
    const apart = [...asked.rows, ...asked.columns].includes('as_of')
    put({
      ...asked,
      days: sorted,
      // Several days stand beside each other.
      ...(sorted.length > 1 &&
        !apart && {
          columns: ['as_of', ...asked.columns].slice(0, Math.max(1, 3 - asked.rows.length)) as DimensionKey[],
        }),
    })
  }
  return (
    <div className={css.days}>
      <Pill.Group>
        {days.map((day) => (
          <Pill
            key={day}
            withRemoveButton={days.length > 1}
            removeButtonProps={{ 'aria-label': t('own_take_out', { name: formatDate(day, 'long', lang) }) }}
            onRemove={() => choose(days.filter((one) => one !== day))}
          >
            {formatDate(day, 'short', lang)}
          </Pill>
        ))}
      </Pill.Group>
      <DateInput
        key={days.join()}
        name="day"
        label={t('own_add_day')}
        defaultValue={null}
        onChange={(day) => typeof day === 'string' && day <= dayOf() && choose([...days, day])}
      />
      <Button
        variant="subtle"
        leftSection={<IconCalendarPlus size={16} aria-hidden />}
        onClick={() => choose(inFiveYears('10-01'))}
      >
        {t('own_five_years')}
      </Button>
    </div>
  )
}
