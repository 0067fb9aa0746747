import { ActionIcon, NumberInput, Select, TextInput, Tooltip } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { MEETING_TYPES, type MeetingType } from '#kit/contract/week.ts'
import { useCall } from '#kit/web/api/index.ts'
import { calls as kitCalls } from '#kit/web/auth/index.ts'
import { LookupInput, LookupsInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import type { TableColumn } from '#kit/web/table/table.tsx'
import type { MeetingDraft } from './drafts.web.ts'

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
  readonly disabled: boolean | undefined
  readonly wrong: (index: number, part: string) => boolean | undefined
  readonly onChange: (key: string, part: Partial<MeetingDraft>) => void
}

/** The day and the slot of a meeting: without the one there is not the other. */
function useWhenColumns({ disabled, wrong, onChange }: Editing): TableColumn<MeetingDraft>[] {
  const t = useT('offerings')
  const lang = useLanguage()
  const { data } = useCall(kitCalls.lookup, { body: { name: 'slot', limit: 100 } }, { staleTime: 300_000 })
  const periods = useMemo(
    () => (data?.data ?? []).map((p) => ({ value: String(p.id), label: nameOf(p, lang) })),
    [data, lang],
  )
  const days = weekdays('short', 6, lang).map((label, i) => ({ value: String(i), label }))
  return [
    {
      key: 'day',
      label: t('day'),
      style: { inlineSize: 104 },
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
      style: { inlineSize: 140 },
      cell: (d, index) => (
        <Select
          aria-label={t('slot')}
          size="xs"
          data={periods}
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

/** Inputs of a line of meetings; `wrong` tells what a refusal was about. */
export function useMeetingColumns({
  groups,
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
  const when = useWhenColumns({ disabled, wrong, onChange })
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
    {
      key: 'room',
      label: t('room'),
      style: { inlineSize: 220 },
      cell: (d, index) => (
        <LookupInput
          aria-label={t('room')}
          resource="location"
          defaultValue={d.location_id}
          known={d.location}
          disabled={disabled}
          error={wrong(index, 'location_id')}
          onChange={(id, option) => onChange(d.key, { location_id: id, location: option })}
        />
      ),
    },
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
