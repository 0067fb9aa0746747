import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, Dialog, Empty, Failed } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, addressOfRecord } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../catalogue.module.css'
import {
  FORMER_NAME_FIELDS,
  UNIT_HISTORY,
  type FormerNameRow,
  type SuccessionRow,
  type UnitPast,
} from './unit.contract.ts'
import { SUCCESSION_KINDS, type HistoryUnit } from './unit.rules.ts'

const PATHS = { faculty: '/faculties', department: '/departments', program: '/programs' } as const
interface Past {
  readonly unit: HistoryUnit
  readonly id: number
  readonly past: UnitPast
}

/** What a unit was called, what it came from, and what it became: figures of past years are told accordingly. */
function PastOfUnit({ unit, id }: { unit: HistoryUnit; id: number }) {
  const { data, error, refetch } = useCall(UNIT_HISTORY[unit].read, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={180} />
  return (
    <Stack>
      <FormerNames {...{ unit, id }} past={data.data} />
      <Successions {...{ unit, id }} past={data.data} />
    </Stack>
  )
}
export const PastOfFaculty = ({ row }: { row: { id: number } }) => <PastOfUnit unit="faculty" id={row.id} />
export const PastOfDepartment = ({ row }: { row: { id: number } }) => <PastOfUnit unit="department" id={row.id} />
export const PastOfProgram = ({ row }: { row: { id: number } }) => <PastOfUnit unit="program" id={row.id} />

function FormerNames({ unit, id, past }: Past) {
  const t = useT('catalogue')
  const { send } = useChange(PATHS[unit], '/reports', '/own-reports')
  const [open, setOpen] = useState<FormerNameRow | 'new' | null>(null)
  const body = (one: FormerNameRow) => ({ name: one.name, name_local: one.name_local, until_day: one.until_day })
  const remove = (one: FormerNameRow) =>
    act({
      go: () => send(UNIT_HISTORY[unit].removeName, { params: { id, name_id: one.id } }),
      done: () => t('former_removed', { name: nameOf(one) }),
      undo: () => send(UNIT_HISTORY[unit].addName, { params: { id }, body: body(one) }),
    })
  return (
    <Card
      title={t('former_names')}
      text={t('former_names_text')}
      aside={past.changes && <Add label={t('former_add')} act={() => setOpen('new')} />}
    >
      {past.names.length === 0 ? (
        <Empty title={t('former_none')} />
      ) : (
        <ul className={css.lines}>
          {past.names.map((one) => (
            <li key={one.id}>
              <span className={css.entry}>
                <bdi>{nameOf(one)}</bdi>
                <span className={css.faint}>
                  {t('former_until', { day: formatDate(one.until_day) })}
                  {one.within && ` · ${t('former_within', { name: nameOf(one.within) })}`}
                </span>
              </span>
              {past.changes && (
                <span>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('former_edit', { name: nameOf(one) })}
                    onClick={() => setOpen(one)}
                  >
                    <IconPencil size={15} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('former_remove', { name: nameOf(one) })}
                    onClick={() => void remove(one)}
                  >
                    <IconTrash size={15} aria-hidden />
                  </ActionIcon>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {open && (
        <Dialog opened onClose={() => setOpen(null)} title={t('former_add')}>
          <Form
            fields={FORMER_NAME_FIELDS}
            values={open === 'new' ? {} : body(open)}
            bar="dialog"
            onCancel={() => setOpen(null)}
            onSave={(typed) =>
              open === 'new'
                ? send(UNIT_HISTORY[unit].addName, { params: { id }, body: typed as never })
                : send(UNIT_HISTORY[unit].editName, { params: { id, name_id: open.id }, body: typed as never })
            }
            onSaved={() => setOpen(null)}
          />
        </Dialog>
      )}
    </Card>
  )
}

const Add = ({ label, act: begin }: { label: string; act: () => void }) => (
  <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={begin}>
    {label}
  </Button>
)

function Successions({ unit, id, past }: Past) {
  const t = useT('catalogue')
  const { send } = useChange(PATHS[unit], '/reports', '/own-reports')
  const [open, setOpen] = useState(false)
  const remove = (one: SuccessionRow) =>
    act({
      go: () => send(UNIT_HISTORY[unit].removeSuccessor, { params: { id, succession_id: one.id } }),
      done: () => t('successor_removed', { name: nameOf(one.of) }),
      undo: () =>
        send(UNIT_HISTORY[unit].addSuccessors, {
          params: { id },
          body: { unit_ids: [one.of.id], on_day: one.on_day, kind: one.kind, note: one.note },
        }),
    })
  return (
    <Card
      title={t('successions')}
      text={t('successions_text')}
      aside={past.changes && <Add label={t('successor_add')} act={() => setOpen(true)} />}
    >
      {past.came_from.length + past.became.length === 0 ? (
        <Empty title={t('successions_none')} />
      ) : (
        <ul className={css.lines}>
          {past.came_from.map((one) => (
            <Line key={one.id} {...{ unit, one }} said="successor_came" />
          ))}
          {past.became.map((one) => (
            <Line key={one.id} {...{ unit, one }} said="successor_became" {...(past.changes && { remove })} />
          ))}
        </ul>
      )}
      {open && <SuccessorDialog {...{ unit, id }} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function Line({
  unit,
  one,
  said,
  remove,
}: {
  unit: HistoryUnit
  one: SuccessionRow
  said: 'successor_came' | 'successor_became'
  remove?: (one: SuccessionRow) => Promise<unknown>
}) {
  const t = useT('catalogue')
  const say = useLabel()
  const name = nameOf(one.of)
  const kind = SUCCESSION_KINDS.find(({ value }) => value === one.kind)!
  const address = addressOfRecord(unit, 'show', one.of.id)
  return (
    <li>
      <span className={css.entry}>
        <span>
          {t(said, { day: formatDate(one.on_day) })}{' '}
          {address ? (
            <Link to={address}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
        </span>
        <span className={css.faint}>{[say(kind.label), one.note].filter(Boolean).join(' · ')}</span>
      </span>
      {remove && (
        <ActionIcon variant="subtle" aria-label={t('successor_remove', { name })} onClick={() => void remove(one)}>
          <IconTrash size={15} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

const fieldsOf = (unit: HistoryUnit) => ({
  kind: f.choice(['What happened', 'ما الذي حدث'], SUCCESSION_KINDS, { required: true }),
  unit_ids: f.lookups(['It became', 'آلت إلى'], unit, {
    required: true,
    through: { table: 'unit_successions', from: `${unit}_id`, to: `to_${unit}_id` },
  }),
  on_day: f.date(['Day', 'اليوم'], { required: true }),
  note: f.text(['Note', 'ملاحظة'], { max: 500 }),
})
function SuccessorDialog({ unit, id, onClose }: { unit: HistoryUnit; id: number; onClose: () => void }) {
  const t = useT('catalogue')
  const { send } = useChange(PATHS[unit], '/reports', '/own-reports')
  return (
    <Dialog opened onClose={onClose} title={t('successor_add')}>
      <Form
        fields={fieldsOf(unit)}
        values={{}}
        bar="dialog"
        onCancel={onClose}
        onSave={(typed) => send(UNIT_HISTORY[unit].addSuccessors, { params: { id }, body: typed as never })}
        onSaved={onClose}
      />
    </Dialog>
  )
}
