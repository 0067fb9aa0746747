import { Button, NumberInput, Select, Switch } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import type { ReportAddress } from './asked.web.ts'
import { DIMENSIONS, dimensionOf, type DimensionKey } from './dimensions.contract.ts'
import type { SystemFigures } from './figures.contract.ts'
import { FIGURE_MEASURES } from './measures.contract.ts'
import { crossedOf, type SystemReport } from './reports.contract.ts'
import css from '../financial/financial.module.css'
import own from './figures.module.css'

/** Filters that are always there; the others come with a button, or where they are set. */
const FIRST = 3

/** By what a report is told apart and narrowed: all of it stands in the address. */
export function ReportFilters({
  report,
  address,
  seen,
}: {
  report: SystemReport
  address: ReportAddress
  seen: SystemFigures | undefined
}) {
  const t = useT('reports')
  const say = useLabel()
  const [all, setAll] = useState(false)
  const { asked, filters, set, every } = address
  const options = (keys: readonly DimensionKey[]) =>
    keys.map((key) => ({ value: key, label: say(DIMENSIONS[key].label) }))
  const rows = asked.rows ?? report.rows[0]!
  const shown = report.filters.filter((key, at) => all || at < FIRST || filters[key])
  return (
    <section className={css.bar} aria-label={t('filters')}>
      <Select
        label={t('rows_by')}
        data={options(report.rows)}
        value={rows}
        allowDeselect={false}
        onChange={(value) => set({ rows: value === report.rows[0] ? null : value })}
      />
      <Select
        label={t('columns_by')}
        data={options(report.columns.filter((key) => key !== rows))}
        value={asked.columns ?? null}
        placeholder={t('columns_none')}
        clearable
        onChange={(value) => set({ columns: value })}
      />
      {asked.columns && (
        <Select
          label={t('measure')}
          data={report.measures.map((key) => ({ value: key, label: say(FIGURE_MEASURES[key].label) }))}
          value={asked.measure ?? crossedOf(report)}
          allowDeselect={false}
          onChange={(value) => set({ measure: value })}
        />
      )}
      {shown.map((key) => (
        <DimensionFilter
          key={`${key} ${filters[key]?.join() ?? ''} ${every ? 'all' : ''}`}
          {...{ by: key, report, address, seen }}
        />
      ))}
      {seen && <AsToday today={seen.today} set={(on) => set({ today: on ? 1 : null })} />}
      {!all && shown.length < report.filters.length && (
        <Button
          className={own.more}
          variant="subtle"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          onClick={() => setAll(true)}
        >
          {t('more_filters')}
        </Button>
      )}
    </section>
  )
}

/** Whether units that ended count in those that they became; where none did, nothing is asked. */
export function AsToday({ today, set }: { today: boolean | null; set: (on: boolean) => void }) {
  const t = useT('reports')
  if (today === null) return null
  return (
    <Switch
      className={own.today}
      label={t('as_today')}
      checked={today}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  )
}

/** By one dimension. */
export function DimensionFilter({
  by,
  report,
  address: { filters, set, every },
  seen,
}: {
  by: DimensionKey
  report: Pick<SystemReport, 'current'>
  address: Pick<ReportAddress, 'filters' | 'set' | 'every'>
  seen: Pick<SystemFigures, 'filters'> | undefined
}) {
  const t = useT('reports')
  const say = useLabel()
  const { label, resource, choices } = dimensionOf(by)
  const value = filters[by]?.[0] ?? null
  const isTerm = by === 'term' && report.current !== undefined
  // The term is narrowed to the current one where nobody chose: it is shown as chosen, and may be taken away.
  const current =
    isTerm && value === null && !every && !filters.year
      ? Number(seen?.filters.find((one) => one.by === 'term')?.values[0]?.key ?? 0) || null
      : null
  const change = (next: string | number | null) =>
    set({
      [by]: next,
      ...(isTerm && { every: next === null ? 1 : null }),
      ...(by === 'year' && { every: null }),
      ...(by === 'faculty' && { program: null, department: null }),
    })
  if (choices)
    return (
      <Select
        label={say(label)}
        placeholder={t('filter_any')}
        data={choices.map((one) => ({ value: String(one.value), label: say(one.label) }))}
        value={value === null ? null : String(value)}
        clearable
        onChange={change}
      />
    )
  if (resource)
    return (
      <LookupInput
        key={String(value ?? current ?? '')}
        resource={resource}
        label={say(label)}
        placeholder={t('filter_any')}
        defaultValue={value ?? current}
        {...(['program', 'department'].includes(by) &&
          filters.faculty?.length === 1 && { filters: { faculty_id: filters.faculty[0] } })}
        onChange={change}
      />
    )
  return (
    <NumberInput
      label={say(label)}
      placeholder={t('filter_any')}
      min={0}
      max={99}
      allowDecimal={false}
      allowNegative={false}
      defaultValue={(value as number | null) ?? ''}
      onChange={(next) => change(next === '' ? null : Number(next))}
    />
  )
}
