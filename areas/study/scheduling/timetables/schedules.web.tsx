import { SegmentedControl } from '@mantine/core'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Empty } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { TIMETABLE_TYPES } from './timetable.contract.ts'
import css from './schedules.module.css'
import { WeekOf } from './week.web.tsx'

/** Chooses whose week to look at; the choice stands in the address, so that it can be sent. */
export default function SchedulesScreen() {
  const t = useT('scheduling')
  const [query, setQuery] = useSearchParams()
  const type = TIMETABLE_TYPES.find((x) => x === query.get('of')) ?? 'location'
  const id = Number(query.get('id')) || null
  const choose = (next: Record<string, string>) =>
    setQuery((before) => {
      const all = new URLSearchParams(before)
      for (const [key, value] of Object.entries(next)) {
        if (value) all.set(key, value)
        else all.delete(key)
      }
      return all
    })
  return (
    <Page title={t('timetables')}>
      <div className={`${css.choice} no-print`}>
        <SegmentedControl
          aria-label={t('timetable_of')}
          value={type}
          onChange={(of) => choose({ of, id: '' })}
          data={TIMETABLE_TYPES.map((value) => ({ value, label: t(value) }))}
        />
        <LookupInput
          key={type}
          resource={type}
          aria-label={t(type)}
          placeholder={t('choose')}
          defaultValue={id}
          onChange={(next) => choose({ id: next ? String(next) : '' })}
        />
      </div>
      {id ? (
        <WeekOf key={`${type}/${id}`} type={type} id={id} />
      ) : (
        <Empty title={t('choose_first')} text={t('choose_first_text')} />
      )}
    </Page>
  )
}
