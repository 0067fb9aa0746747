import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import css from '../offerings.module.css'
import { useMeetingColumns } from './columns.web.tsx'
import { newKey, reasonsByRow, type MeetingDraft } from './drafts.web.ts'
import { offeringSlotCalls } from './slots.contract.ts'
import { REST_DAYS } from './slots.rules.ts'

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
  term_id,
  offering_id,
}: {
  value: readonly MeetingDraft[]
  onChange: (next: readonly MeetingDraft[]) => void
  groups: number
  error?: unknown
  changed?: ReadonlySet<string>
  disabled?: boolean
  /** In which rooms are free or taken; null: it is not known yet. */
  term_id: number | null
  /** Whose meetings they are, once it is there. */
  offering_id?: number
}) {
  const t = useT('offerings')
  const lang = useLanguage()
  const { data } = useCall(
    offeringSlotCalls.places,
    { body: { term_id: term_id ?? 1, ...(offering_id !== undefined && { offering_id }) } },
    { enabled: term_id !== null, staleTime: 60_000 },
  )
  const isRest = (d: MeetingDraft) => d.day !== null && REST_DAYS.includes(d.day)
  const { rows: reasons } = reasonsByRow(error)
  const copy = (d: MeetingDraft) => {
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
  const columns = useMeetingColumns({
    groups,
    places: data?.data,
    disabled,
    wrong: (index, part) => reasons.get(index)?.some((r) => r.part === part),
    onChange: (key, part) => onChange(value.map((d) => (d.key === key ? { ...d, ...part } : d))),
    onCopy: copy,
    onRemove: (key) => onChange(value.filter((d) => d.key !== key)),
  })
  return (
    <Stack>
      {value.length > 0 && (
        <div className={css.editor}>
          <Table
            label={t('meetings')}
            rows={value}
            rowKey={(d) => d.key}
            rowGiven={(d, index) => ({
              'data-changed': changed?.has(d.key) || undefined,
              'data-wrong': reasons.has(index) || undefined,
              'data-group-start': (index > 0 && value[index - 1]!.group !== d.group) || undefined,
            })}
            columns={columns}
            below={(d, index) =>
              (reasons.has(index) || isRest(d)) && (
                <>
                  {isRest(d) && (
                    <p className={css.minded} role="status">
                      {t('day_of_rest', { day: weekdays('long', 6, lang)[d.day!]! })}
                    </p>
                  )}
                  {reasons.has(index) && (
                    <ul className={css.why} role="alert">
                      {reasons.get(index)!.map((reason, i) => (
                        <li key={i}>{reason.text}</li>
                      ))}
                    </ul>
                  )}
                </>
              )
            }
          />
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
