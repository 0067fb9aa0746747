import { Checkbox, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { CRUD_VERBS, PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { seededRights } from '#access/roles.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'
import { useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { REACH_WORDS } from '../rights/rights.contract.ts'
import { useRightName } from '../rights/words.web.tsx'
import { departureOf, keysOfRow, matrixOfRights, nextReach, wordOf } from './matrix.rules.ts'
import type { Departure, HeldReaches, MatrixArea, MatrixRow } from './matrix.rules.ts'
import css from './matrix.module.css'

/** What areas are called. */
const AREAS = {
  accessAndPeople: 'area_accessAndPeople',
  archive: 'area_archive',
  attendance: 'area_attendance',
  catalogue: 'area_catalogue',
  conversation: 'area_conversation',
  degreeAudit: 'area_degreeAudit',
  examDays: 'area_examDays',
  exams: 'area_exams',
  grading: 'area_grading',
  levelResults: 'area_levelResults',
  merging: 'area_merging',
  offerings: 'area_offerings',
  oneroster: 'area_oneroster',
  people: 'area_people',
  placementTests: 'area_placementTests',
  registration: 'area_registration',
  reports: 'area_reports',
  scheduling: 'area_scheduling',
  settings: 'area_settings',
  specializations: 'area_specializations',
  students: 'area_students',
  tags: 'area_tags',
  terms: 'area_terms',
  transfers: 'area_transfers',
} as const
/** Areas with their headings, in the order of the reader's words. Where nothing is said of one, it is what its first right is about. */
function useAreas() {
  const t = useT('access-and-people')
  const say = useLabel('permissions')
  const lang = useLanguage()
  const heading = ({ area, keys }: MatrixArea): string => {
    if (area in AREAS) return t(AREAS[area as keyof typeof AREAS])
    const [en, ar] = PERMISSIONS.get(keys[0]!)!.map((words) => words.split(': ').at(-1)!) as [string, string]
    return say([en, ar])
  }
  return matrixOfRights()
    .map((one) => ({ ...one, title: heading(one) }))
    .toSorted((a, b) => a.title.localeCompare(b.title, lang))
}

/** Of a reach that is not everywhere, in one word. */
const SHORT = {
  own: 'reach_own',
  taught: 'reach_taught',
  advised: 'reach_advised',
  supervised: 'reach_supervised',
} as const
const DIFFERS = { added: 'right_added', taken: 'right_taken', reach: 'right_reach' } as const
const SIGNS = { added: '+', taken: '−', reach: '≠' } as const

interface CellProps {
  readonly right: PermissionKey
  /** What stands above the column, or the whole right where none does. */
  readonly word: string
  readonly held: HeldReaches
  readonly seeded: HeldReaches | null
  readonly onSet?: ((key: PermissionKey, reach: Reach | undefined) => void) | undefined
  readonly disabled?: boolean | undefined
}
/** One right: given, how far, and whether that differs. While it is edited, a press gives it the next reach. */
function Cell({ right, word, held, seeded, onSet, disabled }: CellProps) {
  const t = useT('access-and-people')
  const say = useLabel()
  const name = useRightName()(right)
  const reach = held.get(right)
  const differs: Departure | null = departureOf(right, held, seeded)
  const how = reach ? say(REACH_WORDS.find(({ value }) => value === reach)!.label) : t('not_given')
  const told = [name, how, ...(differs ? [t(DIFFERS[differs])] : [])].join(': ')
  const inside = (
    <>
      {differs && <b aria-hidden>{SIGNS[differs]}</b>}
      <span className={css.word} aria-hidden>
        {word}
      </span>
      <span aria-hidden>{!reach ? (differs ? '' : '·') : reach === 'scope' ? '✓' : t(SHORT[reach])}</span>
    </>
  )
  const given = { className: css.cell, title: told, 'data-given': reach, 'data-differs': differs ?? undefined }
  return onSet ? (
    <button
      type="button"
      {...given}
      data-right
      aria-label={told}
      aria-pressed={reach !== undefined}
      disabled={disabled}
      onClick={() => onSet(right, nextReach(right, reach))}
    >
      {inside}
    </button>
  ) : (
    <span {...given} role="img" aria-label={told}>
      {inside}
    </span>
  )
}

interface Rest extends Pick<CellProps, 'held' | 'seeded' | 'onSet' | 'disabled'> {
  /** Of these rights only. */
  readonly shows: (key: PermissionKey) => boolean
}
function Row({ row, shows, ...rest }: Rest & { row: MatrixRow }) {
  const t = useT('access-and-people')
  const say = useLabel('permissions')
  const right = useRightName()
  return (
    <tr data-alone={!row.label || undefined}>
      <th scope="row">{row.label ? say(row.label) : t('rights_alone')}</th>
      {row.label &&
        CRUD_VERBS.map((verb) => {
          const key = row.cells[verb]
          return <td key={verb}>{key && shows(key) && <Cell right={key} word={say(wordOf(verb))} {...rest} />}</td>
        })}
      <td className={css.chips} colSpan={row.label ? 1 : CRUD_VERBS.length + 1}>
        {row.others.filter(shows).map((key) => (
          <Cell key={key} right={key} word={right(key)} {...rest} />
        ))}
      </td>
    </tr>
  )
}

/** An area that folds. */
function Area({ area, open, ...rest }: Rest & { area: MatrixArea & { title: string }; open: boolean }) {
  const t = useT('access-and-people')
  const [own, setOwn] = useState<boolean | null>(null)
  const isOpen = own ?? open
  const rows = area.rows.filter((row) => keysOfRow(row).some(rest.shows))
  if (!rows.length) return null
  const given = area.keys.filter((key) => rest.held.has(key)).length
  const differ = area.keys.filter((key) => departureOf(key, rest.held, rest.seeded)).length
  return (
    <tbody>
      <tr className={css.area}>
        <th colSpan={CRUD_VERBS.length + 2} scope="rowgroup">
          <button type="button" aria-expanded={isOpen} onClick={() => setOwn(!isOpen)}>
            <span aria-hidden className={css.fold} />
            {area.title} <small>{t('rights_of', { count: given, all: area.keys.length })}</small>
            {differ > 0 && <small className={css.differ}>{t('rights_differ', { count: differ })}</small>}
          </button>
        </th>
      </tr>
      {isOpen && rows.map((row) => <Row key={row.subject} row={row} {...rest} />)}
    </tbody>
  )
}

/** Arrows go from right to right, as the eye does; Tab does, too. */
function goByArrow(event: KeyboardEvent<HTMLElement>, table: HTMLElement): void {
  const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  const down = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-right]')
  if (!from || (!across && !down)) return
  event.preventDefault()
  const all = [...table.querySelectorAll<HTMLElement>('[data-right]')]
  if (across) {
    const turned = getComputedStyle(table).direction === 'rtl' ? -across : across
    all[all.indexOf(from) + turned]?.focus()
    return
  }
  const { left, width, top } = from.getBoundingClientRect()
  const ahead = all.filter((one) => (one.getBoundingClientRect().top - top) * down! > 4)
  const next = down! > 0 ? ahead[0] : ahead.at(-1)
  if (!next) return
  const line = ahead.filter((one) => Math.abs(one.getBoundingClientRect().top - next.getBoundingClientRect().top) < 4)
  const away = (one: HTMLElement) => Math.abs(one.getBoundingClientRect().left + one.offsetWidth / 2 - left - width / 2)
  line.toSorted((a, b) => away(a) - away(b))[0]!.focus()
}

/** The rights of a role, to read and, with `onSet`, to give and take. */
export function RoleMatrix({
  roleKey,
  held,
  onSet,
  disabled,
}: {
  roleKey: unknown
  held: HeldReaches
  onSet?: (key: PermissionKey, reach: Reach | undefined) => void
  disabled?: boolean | undefined
}) {
  const t = useT('access-and-people')
  const say = useLabel('permissions')
  const areas = useAreas()
  const right = useRightName()
  const table = useRef<HTMLTableElement>(null)
  const [search, setSearch] = useState('')
  const [only, setOnly] = useState<'given' | 'differs' | null>(onSet ? null : 'given')
  const seeded = seededRights(roleKey)
  const words = search.trim().toLowerCase()
  const differ = areas.flatMap(({ keys }) => keys.filter((key) => departureOf(key, held, seeded))).length
  const shows = (key: PermissionKey) =>
    (only === null ||
      (only === 'differs'
        ? departureOf(key, held, seeded) !== null
        : held.has(key) || departureOf(key, held, seeded) !== null)) &&
    (!words || `${right(key)} ${key}`.toLowerCase().includes(words))
  const open = words !== '' || only === 'differs'
  return (
    <div className={css.frame} data-edit={onSet !== undefined || undefined}>
      <div className={css.tools}>
        <TextInput
          aria-label={t('right_search')}
          placeholder={t('right_search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Checkbox
          label={t('rights_given_only')}
          checked={only === 'given'}
          onChange={(event) => setOnly(event.currentTarget.checked ? 'given' : null)}
        />
        {seeded && (
          <Checkbox
            label={t('rights_differ_only', { count: differ })}
            checked={only === 'differs'}
            onChange={(event) => setOnly(event.currentTarget.checked ? 'differs' : null)}
          />
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows among the buttons in it */}
      <table
        ref={table}
        className={css.matrix}
        aria-label={t('rights_matrix')}
        onKeyDown={onSet && ((event) => goByArrow(event, table.current!))}
      >
        <thead>
          <tr>
            <th scope="col">{t('right_about')}</th>
            {CRUD_VERBS.map((verb) => (
              <th key={verb} scope="col">
                {say(wordOf(verb))}
              </th>
            ))}
            <th scope="col">{t('rights_more')}</th>
          </tr>
        </thead>
        {areas.map((area) => (
          <Area
            key={`${area.area} ${open}`}
            area={area}
            open={open}
            held={held}
            seeded={seeded}
            onSet={onSet}
            disabled={disabled}
            shows={shows}
          />
        ))}
      </table>
    </div>
  )
}
