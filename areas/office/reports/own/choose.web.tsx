import { ActionIcon, Select, VisuallyHidden } from '@mantine/core'
import { IconGripVertical, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useMe } from '#kit/web/auth/index.ts'
import { moved, useReorder } from '#kit/web/fields/reorder.ts'
import { useLabel, useT, withHeading } from '#kit/web/i18n/index.ts'
import { DIMENSIONS } from '../figures/dimensions.contract.ts'
import { FIGURE_MEASURES, figureSubject, measureOf, type MeasureKey } from '../figures/measures.contract.ts'
import {
  COMPARISONS,
  MOST_DIMENSIONS,
  MOST_MEASURES,
  againstComparison,
  dimensionsOfSubject,
  rightOfMeasure,
  type Comparison,
} from './choices.rules.ts'
import {
  BETWEEN,
  slotsOf,
  withDimension,
  withMeasure,
  withSlots,
  withoutDimension,
  withoutMeasure,
  type Slot,
} from './edit.rules.ts'
import type { OwnAddress } from './address.web.ts'
import css from './own.module.css'

const ALL_MEASURES = Object.keys(FIGURE_MEASURES) as MeasureKey[]

/** A list whose entries are moved by dragging or the arrows, and taken out. */
function Moved<T extends string>({
  label,
  list,
  name,
  fixed,
  move,
  remove,
}: {
  label: string
  list: readonly T[]
  name: (one: T) => string
  /** An entry that is a heading: others are moved over it. */
  fixed?: T
  move: (next: T[]) => void
  remove?: ((one: T) => void) | undefined
}) {
  const t = useT('reports')
  const [announced, announce] = useState('')
  const reorder = useReorder(
    list.length,
    (from, to) => move(moved(list, from, to)),
    (to) => announce(t('own_moved', { place: to + 1, count: list.length })),
  )
  return (
    <>
      <ol className={css.slots} aria-label={label}>
        {list.map((one, at) =>
          one === fixed ? (
            <li key={one} className={css.between} {...reorder.place(at)}>
              {name(one)}
            </li>
          ) : (
            <li key={one} className={css.slot} {...reorder.place(at)}>
              <ActionIcon
                {...reorder.handle(at)}
                variant="subtle"
                color="gray"
                size={28}
                className={css.grip}
                aria-label={t('own_move', { name: name(one) })}
              >
                <IconGripVertical size={16} aria-hidden />
              </ActionIcon>
              <span>{name(one)}</span>
              {remove && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={28}
                  aria-label={t('own_take_out', { name: name(one) })}
                  onClick={() => remove(one)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )}
            </li>
          ),
        )}
      </ol>
      <VisuallyHidden aria-live="polite">{announced}</VisuallyHidden>
    </>
  )
}

/** Which figures are shown: those that the reader may see; of another kind they begin a new report. */
function Measures({ asked, put }: Pick<OwnAddress, 'asked' | 'put'>) {
  const t = useT('reports')
  const say = useLabel()
  const { can } = useMe()
  const { of } = measureOf(asked.measures[0]!)
  const rest = ALL_MEASURES.filter((key) => !asked.measures.includes(key) && can(rightOfMeasure(key)))
  const groups = Map.groupBy(rest, (key) => measureOf(key).of)
  const ordered = [...groups].toSorted(([a], [b]) => Number(b === of) - Number(a === of))
  return (
    <section className={css.part}>
      <h2>{t('own_figures')}</h2>
      <Moved
        label={t('own_figures')}
        list={asked.measures}
        name={(key) => say(FIGURE_MEASURES[key].label)}
        move={(measures) => put({ ...asked, measures })}
        remove={asked.measures.length > 1 ? (key) => put(withoutMeasure(asked, key)) : undefined}
      />
      <Select
        key={asked.measures.join()}
        aria-label={t('own_add_figure')}
        placeholder={t('own_add_figure')}
        searchable
        value={null}
        nothingFoundMessage={t('own_no_figure')}
        data={ordered.map(([subject, keys]) => ({
          group: say(figureSubject(subject).label) + (subject === of ? '' : ` – ${t('own_begins_new')}`),
          items: keys.map((key) => ({
            value: key,
            label: say(FIGURE_MEASURES[key].label),
            disabled: subject === of && asked.measures.length >= MOST_MEASURES,
          })),
        }))}
        onChange={(key) => key && put(withMeasure(asked, key))}
      />
      {asked.measures.length >= MOST_MEASURES && (
        <p className={css.why}>{t('own_most_figures', { max: MOST_MEASURES })}</p>
      )}
    </section>
  )
}

/** By what they are told apart: what stands above the line is in rows, what below it in columns. */
function Dimensions({ asked, put }: Pick<OwnAddress, 'asked' | 'put'>) {
  const t = useT('reports')
  const say = useLabel()
  const { of } = measureOf(asked.measures[0]!)
  const chosen = [...asked.rows, ...asked.columns]
  const rest = dimensionsOfSubject(of).filter((key) => !chosen.includes(key))
  const full = chosen.length >= MOST_DIMENSIONS
  const name = (one: Slot) => (one === BETWEEN ? t('own_columns') : say(DIMENSIONS[one].label))
  const add = (where: 'rows' | 'columns') => (
    <Select
      key={`${where} ${chosen.join()} ${of}`}
      aria-label={t(where === 'rows' ? 'own_add_row' : 'own_add_column')}
      placeholder={t(where === 'rows' ? 'own_add_row' : 'own_add_column')}
      searchable
      disabled={full}
      value={null}
      nothingFoundMessage={t('own_no_dimension', { counts: say(figureSubject(of).label) })}
      data={rest.map((key) => ({ value: key, label: say(DIMENSIONS[key].label) }))}
      onChange={(key) => key && put(withDimension(asked, key, where))}
    />
  )
  return (
    <section className={css.part}>
      <h2>{t('own_rows')}</h2>
      <Moved
        label={t('own_rows_and_columns')}
        list={slotsOf(asked)}
        name={name}
        fixed={BETWEEN}
        move={(slots) => put(withSlots(asked, slots))}
        remove={(one) => one !== BETWEEN && chosen.length > 1 && put(withoutDimension(asked, one))}
      />
      <div className={css.adding}>
        {add('rows')}
        {add('columns')}
      </div>
      {full && <p className={css.why}>{t('own_most_dimensions', { max: MOST_DIMENSIONS })}</p>}
    </section>
  )
}

/** Beside what the figures stand, and in which order. */
function Beside({ asked, put }: Pick<OwnAddress, 'asked' | 'put'>) {
  const t = useT('reports')
  const words: Readonly<Record<Comparison, string>> = {
    share: t('own_share'),
    year_before: t('own_year_before'),
    term_before: t('own_term_before'),
  }
  const against = COMPARISONS.filter((one) => againstComparison(asked, one).length > 0)
  return (
    <section className={css.part}>
      <h2>{t('own_beside')}</h2>
      <Select
        aria-label={t('own_beside')}
        placeholder={t('own_beside_nothing')}
        clearable
        value={asked.compare ?? null}
        data={COMPARISONS.map((one) => ({ value: one, label: words[one], disabled: against.includes(one) }))}
        onChange={(compare) => put({ ...asked, compare })}
      />
      {against.map((one) => (
        <p key={one} className={css.why}>
          {withHeading(words[one], t(`own_why_${againstComparison(asked, one)[0]!.code as 'own_report_share'}`))}
        </p>
      ))}
      <Select
        label={t('own_order')}
        allowDeselect={false}
        value={asked.largest ? 'largest' : 'order'}
        data={[
          { value: 'order', label: t('own_in_order') },
          { value: 'largest', label: t('own_largest') },
        ]}
        onChange={(order) => put({ ...asked, largest: order === 'largest' })}
      />
    </section>
  )
}

/** How a report is put together; the card around it has the name. */
export function Choose({ address }: { address: OwnAddress }) {
  return (
    <div className={`${css.choose} no-print`}>
      <Measures {...address} />
      <Dimensions {...address} />
      <Beside {...address} />
    </div>
  )
}
