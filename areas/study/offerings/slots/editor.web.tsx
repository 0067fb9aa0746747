import { ActionIcon, Button, NumberInput, Select, TextInput, Tooltip } from '@mantine/core'
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Option, Ref } from '#kit/contract/schema.ts'
import { ApiError, useCall } from '#kit/web/api/index.ts'
import { calls as kitCalls } from '#kit/web/auth/index.ts'
import { LookupInput, LookupsInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, problemText, useLabel, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import css from '../offerings.module.css'
import type { OfferingRow } from '../parts.web.tsx'
import { MEETING_TYPES, type MeetingType } from '#kit/contract/week.ts'

/** A meeting being edited. `key` stays while it is moved about; names are for what is shown only. */
export interface Draft {
  readonly key: string
  readonly id?: number
  readonly group: number
  readonly type: MeetingType
  readonly section: string | null
  readonly day: number | null
  readonly slot_id: number | null
  readonly location_id: number | null
  readonly location?: Option | null
  readonly instructor_ids: readonly number[]
  /** People whose names came with the row. */
  readonly people?: readonly Ref[]
  readonly quota: number
  readonly over_quota: number
  readonly taken: number
}

let made = 0
/** A key for a new row. */
export const newKey = (): string => `new-${++made}`

/** Meetings of an offering as they are edited. */
export const draftsOf = (row: OfferingRow): Draft[] =>
  (row.groups ?? []).flatMap((g) =>
    g.meetings.map((m) => ({
      key: String(m.id),
      id: m.id,
      group: g.number,
      type: m.type,
      section: m.section,
      day: m.day,
      slot_id: m.slot?.id ?? null,
      location_id: m.location?.id ?? null,
      location: m.location,
      instructor_ids: m.instructors.map((i) => i.id),
      people: m.instructors,
      quota: m.quota,
      over_quota: m.over_quota,
      taken: m.taken,
    })),
  )
/** What is sent for a row. */
export const sentOf = (d: Draft) => ({
  ...(d.id !== undefined && { id: d.id }),
  group: d.group,
  type: d.type,
  section: d.section?.trim() || null,
  day: d.day,
  slot_id: d.slot_id,
  location_id: d.location_id,
  quota: d.quota,
  over_quota: d.over_quota,
  instructor_ids: [...d.instructor_ids],
})

/** Reasons by row (`slots.3.quota`), and those of the whole. */
export function reasonsByRow(error: unknown): { rows: Map<number, { text: string; part: string }[]>; rest: string[] } {
  const rows = new Map<number, { text: string; part: string }[]>()
  const rest: string[] = []
  for (const problem of error instanceof ApiError ? error.errors : []) {
    const [, index, part = ''] = /^slots\.(\d+)(?:\.(\w+))?/.exec(problem.field ?? '') ?? []
    if (index === undefined) rest.push(problemText(problem))
    else rows.set(Number(index), [...(rows.get(Number(index)) ?? []), { text: problemText(problem), part }])
  }
  return { rows, rest }
}

/**
 * The grid in which meetings are edited: one line each, reasons of a refusal under the line they belong to. Rows keep
 * their order, so that the server's reasons find them.
 */
export function SlotEditor({
  value,
  onChange,
  groups,
  error,
  changed,
  disabled,
}: {
  value: readonly Draft[]
  onChange: (next: readonly Draft[]) => void
  groups: number
  error?: unknown
  changed?: ReadonlySet<string>
  disabled?: boolean
}) {
  const t = useT('offerings')
  const say = useLabel()
  const lang = useLanguage()
  const { data } = useCall(kitCalls.lookup, { body: { name: 'slot', limit: 100 } }, { staleTime: 300_000 })
  const periods = useMemo(
    () => (data?.data ?? []).map((p) => ({ value: String(p.id), label: nameOf(p, lang) })),
    [data, lang],
  )
  const days = weekdays('short', 6, lang).map((label, i) => ({ value: String(i), label }))
  const types = MEETING_TYPES.map((m) => ({ value: m.value, label: say(m.label) }))
  const numbers = Array.from({ length: groups }, (_, i) => ({ value: String(i + 1), label: formatNumber(i + 1) }))
  const { rows: reasons } = reasonsByRow(error)
  const set = (key: string, part: Partial<Draft>) => onChange(value.map((d) => (d.key === key ? { ...d, ...part } : d)))
  const remove = (key: string) => onChange(value.filter((d) => d.key !== key))
  const copy = (d: Draft) => {
    const { id: _id, ...rest } = d
    const at = value.indexOf(d) + 1
    onChange([
      ...value.slice(0, at),
      { ...rest, key: newKey(), day: null, slot_id: null, location_id: null, location: null, taken: 0 },
      ...value.slice(at),
    ])
  }
  const add = () => {
    const last = value.at(-1)
    onChange([
      ...value,
      {
        key: newKey(),
        group: last?.group ?? 1,
        type: 'Lecture',
        section: null,
        day: null,
        slot_id: null,
        location_id: null,
        instructor_ids: [],
        quota: last?.quota ?? 60,
        over_quota: last?.over_quota ?? 0,
        taken: 0,
      },
    ])
  }
  const wrong = (index: number, part: string) => reasons.get(index)?.some((r) => r.part === part)
  return (
    <Stack>
      {value.length > 0 && (
        <div className={css.editor}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('group_column')}</th>
                <th scope="col">{t('type')}</th>
                <th scope="col">{t('section')}</th>
                <th scope="col">{t('day')}</th>
                <th scope="col">{t('slot')}</th>
                <th scope="col">{t('room')}</th>
                <th scope="col">{t('instructors')}</th>
                <th scope="col">{t('quota')}</th>
                <th scope="col">{t('over_quota')}</th>
                <th scope="col">{t('taken')}</th>
                <th scope="col">
                  <span className="sr">{t('row_actions')}</span>
                </th>
              </tr>
            </thead>
            {value.map((d, index) => (
              <tbody key={d.key}>
                <tr
                  data-changed={changed?.has(d.key) || undefined}
                  data-wrong={reasons.has(index) || undefined}
                  data-group-start={index > 0 && value[index - 1]!.group !== d.group ? true : undefined}
                >
                  <td style={{ inlineSize: 68 }}>
                    <Select
                      aria-label={t('group_column')}
                      size="xs"
                      data={numbers}
                      value={String(d.group)}
                      disabled={disabled || d.taken > 0}
                      allowDeselect={false}
                      error={wrong(index, 'group')}
                      onChange={(v) => set(d.key, { group: Number(v) })}
                    />
                  </td>
                  <td style={{ inlineSize: 116 }}>
                    <Select
                      aria-label={t('type')}
                      size="xs"
                      data={types}
                      value={d.type}
                      disabled={disabled || d.taken > 0}
                      allowDeselect={false}
                      error={wrong(index, 'type')}
                      onChange={(v) => set(d.key, { type: v as MeetingType })}
                    />
                  </td>
                  <td style={{ inlineSize: 64 }}>
                    <TextInput
                      aria-label={t('section')}
                      size="xs"
                      maxLength={10}
                      defaultValue={d.section ?? ''}
                      disabled={disabled}
                      error={wrong(index, 'section')}
                      onBlur={(event) => set(d.key, { section: event.currentTarget.value.trim() || null })}
                    />
                  </td>
                  <td style={{ inlineSize: 104 }}>
                    <Select
                      aria-label={t('day')}
                      size="xs"
                      data={days}
                      value={d.day === null ? null : String(d.day)}
                      disabled={disabled}
                      clearable
                      placeholder="–"
                      error={wrong(index, 'day')}
                      onChange={(v) => set(d.key, v === null ? { day: null, slot_id: null } : { day: Number(v) })}
                    />
                  </td>
                  <td style={{ inlineSize: 140 }}>
                    <Select
                      aria-label={t('slot')}
                      size="xs"
                      data={periods}
                      value={d.slot_id === null ? null : String(d.slot_id)}
                      disabled={disabled}
                      clearable
                      placeholder="–"
                      error={wrong(index, 'slot_id')}
                      onChange={(v) => set(d.key, v === null ? { day: null, slot_id: null } : { slot_id: Number(v) })}
                    />
                  </td>
                  <td style={{ inlineSize: 220 }}>
                    <LookupInput
                      aria-label={t('room')}
                      resource="location"
                      defaultValue={d.location_id}
                      known={d.location}
                      disabled={disabled}
                      error={wrong(index, 'location_id')}
                      onChange={(id, option) => set(d.key, { location_id: id, location: option })}
                    />
                  </td>
                  <td style={{ minInlineSize: 200 }}>
                    <LookupsInput
                      aria-label={t('instructors')}
                      resource="instructor"
                      defaultValue={d.instructor_ids.map((id) => d.people?.find((p) => p.id === id) ?? id)}
                      disabled={disabled}
                      error={wrong(index, 'instructor_ids')}
                      onChange={(instructor_ids) => set(d.key, { instructor_ids })}
                    />
                  </td>
                  <td style={{ inlineSize: 78 }}>
                    <NumberInput
                      aria-label={t('quota')}
                      size="xs"
                      hideControls
                      min={0}
                      max={10_000}
                      allowDecimal={false}
                      defaultValue={d.quota}
                      disabled={disabled}
                      error={wrong(index, 'quota')}
                      onChange={(v) => set(d.key, { quota: Number(v) || 0 })}
                    />
                  </td>
                  <td style={{ inlineSize: 70 }}>
                    <NumberInput
                      aria-label={t('over_quota')}
                      size="xs"
                      hideControls
                      min={0}
                      max={10_000}
                      allowDecimal={false}
                      defaultValue={d.over_quota}
                      disabled={disabled}
                      error={wrong(index, 'over_quota')}
                      onChange={(v) => set(d.key, { over_quota: Number(v) || 0 })}
                    />
                  </td>
                  <td style={{ inlineSize: 60, textAlign: 'end', paddingBlockStart: 10 }} className="numbers">
                    {formatNumber(d.taken)}
                  </td>
                  <td style={{ inlineSize: 70, whiteSpace: 'nowrap' }}>
                    <Tooltip label={t('copy_meeting')}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t('copy_meeting')}
                        disabled={disabled}
                        onClick={() => copy(d)}
                      >
                        <IconCopy size={15} />
                      </ActionIcon>
                    </Tooltip>
                    <Tooltip label={d.taken > 0 ? t('taken_stays', { count: d.taken }) : t('remove_meeting')}>
                      <ActionIcon
                        variant="subtle"
                        color="red"
                        aria-label={t('remove_meeting')}
                        disabled={disabled || d.taken > 0}
                        onClick={() => remove(d.key)}
                      >
                        <IconTrash size={15} />
                      </ActionIcon>
                    </Tooltip>
                  </td>
                </tr>
                {reasons.has(index) && (
                  <tr data-wrong>
                    <td colSpan={11} style={{ borderBlockStart: 0, paddingBlock: 0 }}>
                      <ul className={css.why} role="alert">
                        {reasons.get(index)!.map((reason, i) => (
                          <li key={i}>{reason.text}</li>
                        ))}
                      </ul>
                    </td>
                  </tr>
                )}
              </tbody>
            ))}
          </table>
        </div>
      )}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={add}
          disabled={disabled}
        >
          {t('add_meeting')}
        </Button>
      </div>
    </Stack>
  )
}
