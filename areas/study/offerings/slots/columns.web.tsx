import { ActionIcon, NumberInput, Select, TextInput, Tooltip } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { MEETING_TYPES, type MeetingType } from '#kit/contract/week.ts'
import { LookupsInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import type { TableColumn } from '#kit/web/table/table.tsx'
import type { MeetingDraft } from './drafts.web.ts'
import type { MeetingPlaces } from './slots.contract.ts'
import { takenThen } from './slots.rules.ts'

type Part = 'quota' | 'over_quota'

/** Copies a meeting, or removes it while nobody sits in it. */
function useActionsColumn({
  disabled,
  onCopy,
  onRemove,
}: {
  disabled: boolean | undefined
  onCopy: (draft: MeetingDraft) => void
  onRemove: (key: string) => void
}): TableColumn<MeetingDraft> {
  const t = useT('offerings')
  return {
    key: 'actions',
    label: t('row_actions'),
    unseen: true,
    style: { inlineSize: 70, whiteSpace: 'nowrap' },
    cell: (d) => (
      <>
        <Tooltip label={t('copy_meeting')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('copy_meeting')}
            disabled={disabled}
            onClick={() => onCopy(d)}
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
            onClick={() => onRemove(d.key)}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      </>
    ),
  }
}

interface Editing {
  /** Periods and rooms of the term; undefined while they are on their way. */
  readonly places: MeetingPlaces | undefined
  readonly disabled: boolean | undefined
  readonly wrong: (index: number, part: string) => boolean | undefined
  readonly onChange: (key: string, part: Partial<MeetingDraft>) => void
}

/** The day and the slot of a meeting: without the one there is not the other. */
function useWhenColumns({ places, disabled, wrong, onChange }: Editing): TableColumn<MeetingDraft>[] {
  const t = useT('offerings')
  const lang = useLanguage()
  const periods = useMemo(
    () =>
      (places?.slots ?? []).map((p) => ({
        value: String(p.id),
        // Which hours a slot has is what one chooses it by.
        // Earlier first, whatever the direction around it.
        label: `\u2066${p.starts}–${p.ends}\u2069`,
        name: nameOf(p, lang),
      })),
    [places, lang],
  )
  const days = weekdays('short', 6, lang).map((label, i) => ({ value: String(i), label }))
  return [
    {
      key: 'day',
      label: t('day'),
      style: { inlineSize: 118 },
      cell: (d, index) => (
        <Select
          aria-label={t('day')}
          size="xs"
          data={days}
          value={d.day === null ? null : String(d.day)}
          disabled={disabled}
          clearable
          placeholder="–"
          error={wrong(index, 'day')}
          onChange={(v) => onChange(d.key, v === null ? { day: null, slot_id: null } : { day: Number(v) })}
        />
      ),
    },
    {
      key: 'slot',
      label: t('slot'),
      style: { inlineSize: 164 },
      cell: (d, index) => (
        <Select
          aria-label={t('slot')}
          size="xs"
          miw={150}
          data={periods}
          renderOption={({ option }) => (
            <>
              <bdi>{option.label}</bdi> <bdi>{(option as { name?: string }).name}</bdi>
            </>
          )}
          value={d.slot_id === null ? null : String(d.slot_id)}
          disabled={disabled}
          clearable
          placeholder="–"
          error={wrong(index, 'slot_id')}
          onChange={(v) => onChange(d.key, v === null ? { day: null, slot_id: null } : { slot_id: Number(v) })}
        />
      ),
    },
  ]
}

/** The room of a meeting: each with its places, those that are free then before those that are taken, and by what. */
function useRoomColumn({ places, disabled, wrong, onChange }: Editing): TableColumn<MeetingDraft> {
  const t = useT('offerings')
  const lang = useLanguage()
  return {
    key: 'room',
    label: t('room'),
    style: { inlineSize: 262 },
    cell: (d, index) => {
      const slot = places?.slots.find((one) => one.id === d.slot_id)
      const busy = places && slot && d.day !== null ? takenThen(places.taken, d.day, slot) : null
      const option = (room: { id: number; name: string; name_local?: string | null; capacity: number }) => {
        const by = busy?.get(room.id)
        const said = `${nameOf(room, lang)} · ${t('room_places', { count: formatNumber(room.capacity) })}`
        return { value: String(room.id), label: by ? `${said} · ${by}` : said }
      }
      const rooms = places?.rooms ?? []
      const small = (room: (typeof rooms)[number]) => room.kind !== 'online' && room.capacity < d.quota + d.over_quota
      const known = d.location && !rooms.some((room) => room.id === d.location_id) ? d.location : null
      const groups = [
        { group: t(busy ? 'rooms_free' : 'rooms_all'), items: rooms.filter((r) => !busy?.has(r.id) && !small(r)) },
        { group: t('rooms_small'), items: rooms.filter((r) => !busy?.has(r.id) && small(r)) },
        { group: t('rooms_taken'), items: rooms.filter((r) => busy?.has(r.id)) },
      ].flatMap(({ group, items }) => (items.length ? [{ group, items: items.map(option) }] : []))
      return (
        <Select
          aria-label={t('room')}
          size="xs"
          searchable
          clearable
          placeholder="–"
          comboboxProps={{ width: 320, position: 'bottom-start' }}
          data={known ? [{ value: String(known.id), label: nameOf(known, lang) }, ...groups] : groups}
          value={d.location_id === null ? null : String(d.location_id)}
          disabled={disabled}
          error={
            wrong(index, 'location_id') ??
            (d.location_id !== null && busy?.has(d.location_id)
              ? t('room_taken_by', { name: busy.get(d.location_id)! })
              : undefined)
          }
          onChange={(v) => {
            const room = rooms.find((one) => String(one.id) === v)
            onChange(d.key, { location_id: room?.id ?? null, location: room ?? null })
          }}
        />
      )
    },
  }
}

/** Inputs of a line of meetings; `wrong` tells what a refusal was about. */
export function useMeetingColumns({
  groups,
  places,
  disabled,
  wrong,
  onChange,
  onCopy,
  onRemove,
}: Editing & {
  readonly groups: number
  readonly onCopy: (draft: MeetingDraft) => void
  readonly onRemove: (key: string) => void
}): readonly TableColumn<MeetingDraft>[] {
  const t = useT('offerings')
  const say = useLabel()
  const types = MEETING_TYPES.map((m) => ({ value: m.value, label: say(m.label) }))
  const numbers = Array.from({ length: groups }, (_, i) => ({ value: String(i + 1), label: formatNumber(i + 1) }))
  const seats = (part: Part, inlineSize: number): TableColumn<MeetingDraft> => ({
    key: part,
    label: t(part),
    style: { inlineSize },
    cell: (d, index) => (
      <NumberInput
        aria-label={t(part)}
        size="xs"
        hideControls
        min={0}
        max={10_000}
        allowDecimal={false}
        defaultValue={d[part]}
        disabled={disabled}
        error={wrong(index, part)}
        onChange={(v) => onChange(d.key, { [part]: Number(v) || 0 })}
      />
    ),
  })
  const when = useWhenColumns({ places, disabled, wrong, onChange })
  const room = useRoomColumn({ places, disabled, wrong, onChange })
  const actions = useActionsColumn({ disabled, onCopy, onRemove })
  return [
    {
      key: 'group',
      label: t('group_column'),
      style: { inlineSize: 68 },
      cell: (d, index) => (
        <Select
          aria-label={t('group_column')}
          size="xs"
          data={numbers}
          value={String(d.group)}
          disabled={disabled || d.taken > 0}
          allowDeselect={false}
          error={wrong(index, 'group')}
          onChange={(v) => onChange(d.key, { group: Number(v) })}
        />
      ),
    },
    {
      key: 'type',
      label: t('type'),
      style: { inlineSize: 116 },
      cell: (d, index) => (
        <Select
          aria-label={t('type')}
          size="xs"
          data={types}
          value={d.type}
          disabled={disabled || d.taken > 0}
          allowDeselect={false}
          error={wrong(index, 'type')}
          onChange={(v) => onChange(d.key, { type: v as MeetingType })}
        />
      ),
    },
    {
      key: 'section',
      label: t('section'),
      style: { inlineSize: 64 },
      cell: (d, index) => (
        <TextInput
          aria-label={t('section')}
          size="xs"
          maxLength={10}
          defaultValue={d.section ?? ''}
          disabled={disabled}
          error={wrong(index, 'section')}
          onBlur={(event) => onChange(d.key, { section: event.currentTarget.value.trim() || null })}
        />
      ),
    },
    ...when,
    room,
    {
      key: 'instructors',
      label: t('instructors'),
      style: { minInlineSize: 200 },
      cell: (d, index) => (
        <LookupsInput
          aria-label={t('instructors')}
          resource="instructor"
          defaultValue={d.instructor_ids.map((id) => d.people?.find((p) => p.id === id) ?? id)}
          disabled={disabled}
          error={wrong(index, 'instructor_ids')}
          onChange={(instructor_ids) => onChange(d.key, { instructor_ids })}
        />
      ),
    },
    seats('quota', 78),
    seats('over_quota', 70),
    {
      key: 'taken',
      label: t('taken'),
      given: () => ({ className: 'numbers', style: { inlineSize: 60, textAlign: 'end', paddingBlockStart: 10 } }),
      cell: (d) => formatNumber(d.taken),
    },
    actions,
  ]
}
