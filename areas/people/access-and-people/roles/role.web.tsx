import { Checkbox, Input, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PERMISSIONS, PERMISSION_AREAS, PERMISSION_KEYS, kindsKnown } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { kindOf } from '#access/reach.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { FieldInputProps } from '#kit/web/fields/inputs.tsx'
import { Status } from '#kit/web/feedback/index.ts'
import { label, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { grantDifferenceOf, rightsOfRole } from '../rights/grants.rules.ts'
import { REACH_WORDS } from '../rights/rights.contract.ts'
import css from '../rights/rights.module.css'
import { DifferenceOf, useRightName } from '../rights/words.web.tsx'
import { part } from '#kit/web/later.ts'
import { role } from './role.contract.ts'

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
/** What the rights of an area are called together; where nothing is said of it, what its first right is about. */
function useHeading(): (area: string, keys: readonly PermissionKey[]) => string {
  const t = useT('access-and-people')
  const say = useLabel('permissions')
  return (area, keys) => {
    if (area in AREAS) return t(AREAS[area as keyof typeof AREAS])
    const [en, ar] = PERMISSIONS.get(keys[0]!)!.map((words) => words.split(': ').at(-1)!) as [string, string]
    return say([en, ar])
  }
}

/** Areas with their headings, in the order of the reader's words. */
function useAreas() {
  const heading = useHeading()
  const lang = useLanguage()
  return PERMISSION_AREAS.map(({ area, keys }) => ({ area, keys, title: heading(area, keys) })).toSorted((a, b) =>
    a.title.localeCompare(b.title, lang),
  )
}

interface Line {
  readonly id?: number
  readonly permission: string
  readonly reach: Reach
}
const KNOWN: ReadonlySet<string> = new Set(PERMISSION_KEYS)

/** The rights of a role by area: each with how far it reaches, or not given. What the change gives and takes stands below. */
function Matrix({ label: title, description, error, defaultValue, onChange, disabled }: FieldInputProps) {
  const t = useT('access-and-people')
  const say = useLabel()
  const areas = useAreas()
  const right = useRightName()
  const before = (defaultValue ?? []) as readonly Line[]
  const [lines, setLines] = useState(before)
  const [search, setSearch] = useState('')
  const [only, setOnly] = useState(false)
  const held = new Map(lines.map((line) => [line.permission, line]))
  const set = (permission: string, reach: string) => {
    const rest = lines.filter((line) => line.permission !== permission)
    const stored = before.find((one) => one.permission === permission)
    const next = reach ? [...rest, { ...(stored?.id && { id: stored.id }), permission, reach: reach as Reach }] : rest
    setLines(next)
    onChange(next)
  }
  const words = search.trim().toLowerCase()
  const difference = grantDifferenceOf(rightsOfRole(before), rightsOfRole(lines), (place) => [place])
  return (
    <Input.Wrapper label={title} description={description} error={error} labelElement="div">
      <div className={css.ask}>
        <TextInput
          aria-label={t('right_search')}
          placeholder={t('right_search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Checkbox
          label={t('rights_given_only')}
          checked={only}
          onChange={(event) => setOnly(event.currentTarget.checked)}
        />
      </div>
      <div className={css.matrix}>
        {areas.map(({ area, keys, title: heading }) => {
          const shown = keys.filter(
            (key) => (!only || held.has(key)) && (!words || `${right(key)} ${key}`.toLowerCase().includes(words)),
          )
          if (!shown.length) return null
          const given = keys.filter((key) => held.has(key)).length
          return (
            <details key={area} open={words !== '' || only}>
              <summary>
                {heading} · {t('rights_of', { count: given, all: keys.length })}
              </summary>
              <ul className={css.rights}>
                {shown.map((key) => (
                  <li key={key}>
                    <span>{right(key)}</span>
                    <NativeSelect
                      size="xs"
                      aria-label={right(key)}
                      disabled={disabled}
                      value={held.get(key)?.reach ?? ''}
                      onChange={(event) => set(key, event.currentTarget.value)}
                      data={[
                        { value: '', label: t('not_given') },
                        // What the right knows, and what stands there, so that it is seen and taken out.
                        ...REACH_WORDS.filter(
                          ({ value }) => kindsKnown(key).has(kindOf(value, false)) || held.get(key)?.reach === value,
                        ).map((word) => ({ value: word.value, label: say(word.label) })),
                      ]}
                    />
                  </li>
                ))}
              </ul>
            </details>
          )
        })}
      </div>
      {(difference.gained.length > 0 || difference.lost.length > 0) && (
        <DifferenceOf difference={difference} units={[]} />
      )}
    </Input.Wrapper>
  )
}

/** The same, to read. */
function Given({ lines }: { lines: readonly Line[] }) {
  const t = useT('access-and-people')
  const say = useLabel()
  const areas = useAreas()
  const right = useRightName()
  const held = new Map(lines.map((line) => [line.permission, line.reach]))
  const strange = lines.filter((line) => !KNOWN.has(line.permission))
  return (
    <div className={css.matrix}>
      {areas.map(({ area, keys, title: heading }) => {
        const given = keys.filter((key) => held.has(key))
        if (!given.length) return null
        return (
          <details key={area}>
            <summary>
              {heading} · {t('rights_of', { count: given.length, all: keys.length })}
            </summary>
            <ul className={css.rights}>
              {given.map((key) => (
                <li key={key}>
                  <span>{right(key)}</span>
                  <span className={css.faint}>
                    {say(REACH_WORDS.find((word) => word.value === held.get(key))!.label)}
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )
      })}
      {strange.length > 0 && <p className={css.dim}>{strange.map((one) => one.permission).join(', ')}</p>}
    </div>
  )
}

export default resourceWeb(role, {
  inputs: { rights: Matrix },
  cells: { rights: ({ value }) => <Given lines={(value ?? []) as readonly Line[]} /> },
  detail: {
    status: (row) =>
      row.removed ? (
        <Status is="removed" label={label(['Removed', 'محذوف'])} />
      ) : row.system ? (
        <Status is="official" label={label(['Comes with the program', 'من أدوار النظام'])} />
      ) : null,
    panels: [
      {
        key: 'replace',
        title: ['Remove and replace', 'حذف الدور واستبداله'],
        permission: 'remove_role',
        when: (row) => !row.removed,
        Content: part(async () => (await import('./replace.web.tsx')).Replace),
      },
    ],
  },
})
