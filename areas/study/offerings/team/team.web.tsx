import { RecordLink } from '#kit/web/detail/record-link.tsx'
import { ActionIcon, NumberInput, Select, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Name, Problems, confirm, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { nameOf, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { WhyNot } from '#kit/web/workflow/index.ts'
import css from '../offerings.module.css'
import type { OfferingRow } from '../parts.web.tsx'
import { TEAM_ROLES } from '#areas/common/academics/offering-words.contract.ts'
import type { TeamRole } from '#areas/common/academics/offering-words.contract.ts'
import { teamCalls } from './team.contract.ts'

const Remove = ({ label, onClick, disabled }: { label: string; onClick: () => void; disabled?: boolean }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick} disabled={disabled}>
      <IconX size={16} />
    </ActionIcon>
  </Tooltip>
)

/** The team: who leads, teaches, assists. */
export function Instructors({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const say = useLabel()
  const { problem: error, busy, go, send } = useChange('/offerings')
  const [chosen, setChosen] = useState<number | null>(null)
  const [round, setRound] = useState(0)
  const team = row.instructors ?? []
  const may = row.abilities.includes('team')
  const roles = TEAM_ROLES.map((r) => ({ value: r.value, label: say(r.label) }))
  const sync = (list: readonly { instructor_id: number; role: TeamRole }[]) =>
    send(teamCalls.syncInstructors, { params: { id: row.id }, body: { instructors: [...list] } })
  const present = team.map((m) => ({ instructor_id: m.id, role: m.role }))
  const remove = async (id: number, name: string) => {
    const done = await go(() =>
      send(teamCalls.detachInstructors, { params: { id: row.id }, body: { instructor_ids: [id] } }),
    )
    if (done) notify.undo(t('left_team', { name }), () => go(() => sync(present)))
  }
  const add = async () => {
    if (chosen === null) return
    const role = team.some((m) => m.role === 'leader') ? 'instructor' : 'leader'
    if (await go(() => sync([...present.filter((m) => m.instructor_id !== chosen), { instructor_id: chosen, role }]))) {
      setChosen(null)
      setRound(round + 1)
    }
  }
  return (
    <Card>
      {error ? <Problems error={error} /> : null}
      {team.length ? (
        <ul className={css.members}>
          {team.map((m) => (
            <li key={m.id}>
              <span>
                <RecordLink resource="instructor" id={m.id}>
                  <Name row={m} />
                </RecordLink>{' '}
                <Code className={css.dim}>{m.code}</Code>
              </span>
              {may ? (
                <Select
                  aria-label={t('role')}
                  size="xs"
                  w={180}
                  data={roles}
                  value={m.role}
                  allowDeselect={false}
                  disabled={busy}
                  onChange={(role) =>
                    void go(() =>
                      // One leads: who led before becomes an instructor.
                      sync(
                        present.map((p) =>
                          p.instructor_id === m.id
                            ? { ...p, role: role as TeamRole }
                            : role === 'leader' && p.role === 'leader'
                              ? { ...p, role: 'instructor' as const }
                              : p,
                        ),
                      ),
                    )
                  }
                />
              ) : (
                <span className={css.dim}>{say(TEAM_ROLES.find((r) => r.value === m.role)!.label)}</span>
              )}
              {may && (
                <Remove
                  label={t('take_out', { name: nameOf(m) })}
                  disabled={busy}
                  onClick={() => void remove(m.id, nameOf(m))}
                />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Empty title={t('no_team')} text={t('no_team_text')} />
      )}
      <WhyNot row={row} ability="team" />
      {may && (
        <div className={css.adder}>
          <LookupInput
            key={round}
            label={t('add_instructor')}
            resource="instructor"
            defaultValue={null}
            onChange={setChosen}
          />
          <Submit onClick={() => void add()} missing={[chosen === null && t('add_instructor')]} loading={busy}>
            {t('add')}
          </Submit>
        </div>
      )}
    </Card>
  )
}

/** Programs to which it is open; none: every program whose plan has the course. */
export function OfferingPrograms({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const { problem: error, busy, go, send } = useChange('/offerings')
  const [chosen, setChosen] = useState<number | null>(null)
  const [level, setLevel] = useState<number | string>('')
  const [round, setRound] = useState(0)
  const programs = row.programs ?? []
  const may = row.abilities.includes('programs')
  const present = programs.map((p) => ({ program_id: p.id, level: p.level }))
  const sync = (list: typeof present) =>
    send(teamCalls.syncPrograms, { params: { id: row.id }, body: { programs: list } })
  const remove = async (id: number) => {
    const last = programs.length === 1
    if (
      last &&
      !(await confirm({ title: t('open_to_all_title'), consequence: t('open_to_all_text'), action: t('open_to_all') }))
    )
      return
    await go(() =>
      last ? sync([]) : send(teamCalls.detachProgram, { params: { id: row.id }, body: { program_id: id } }),
    )
  }
  const add = async () => {
    if (chosen === null) return
    const next = { program_id: chosen, level: level === '' ? null : Number(level) }
    if (await go(() => sync([...present.filter((p) => p.program_id !== chosen), next]))) {
      setChosen(null)
      setRound(round + 1)
    }
  }
  return (
    <Card>
      {error ? <Problems error={error} /> : null}
      {programs.length ? (
        <ul className={css.members}>
          {programs.map((p) => (
            <li key={p.id}>
              <span>
                <RecordLink resource="program" id={p.id}>
                  <Name row={p} />
                </RecordLink>{' '}
                <Code className={css.dim}>{p.code}</Code>
              </span>
              <span className={css.dim}>{p.level === null ? t('all_levels') : t('level', { level: p.level })}</span>
              {may && (
                <Remove label={t('take_out', { name: nameOf(p) })} disabled={busy} onClick={() => void remove(p.id)} />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Empty title={t('open_to_all')} text={t('open_to_all_now')} />
      )}
      <WhyNot row={row} ability="programs" />
      {may && (
        <div className={css.adder}>
          <LookupInput
            key={round}
            label={t('add_program')}
            resource="program"
            defaultValue={null}
            onChange={setChosen}
          />
          <NumberInput
            label={<Optional label={t('only_level')} />}
            value={level}
            onChange={setLevel}
            min={0}
            max={7}
            allowDecimal={false}
            w={140}
          />
          <Submit onClick={() => void add()} missing={[chosen === null && t('add_program')]} loading={busy}>
            {t('add')}
          </Submit>
        </div>
      )}
    </Card>
  )
}

/** Offerings whose students sit in the groups of this one. */
export function Linked({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const { problem: error, busy, go, send } = useChange('/offerings')
  const [chosen, setChosen] = useState<number | null>(null)
  const [round, setRound] = useState(0)
  const linked = row.linked ?? []
  const may = row.abilities.includes('link')
  const add = async () => {
    if (chosen === null) return
    if (!(await confirm({ title: t('link_title'), consequence: t('link_text'), action: t('link') }))) return
    if (await go(() => send(teamCalls.addLinked, { params: { id: row.id }, body: { offering_ids: [chosen] } }))) {
      setChosen(null)
      setRound(round + 1)
    }
  }
  if (row.linked_offering) {
    return (
      <Card
        text={
          <>
            {t('seats_from')}{' '}
            <RecordLink resource="offering" id={row.linked_offering.id}>
              <Name row={row.linked_offering} /> <Code>{row.linked_offering.code}</Code>
            </RecordLink>
          </>
        }
      />
    )
  }
  return (
    <Card text={t('linked_text')}>
      {error ? <Problems error={error} /> : null}
      {linked.length ? (
        <ul className={css.members}>
          {linked.map((o) => (
            <li key={o.id}>
              <span>
                <RecordLink resource="offering" id={o.id}>
                  <Name row={o} />
                </RecordLink>{' '}
                <Code className={css.dim}>
                  {o.code} ({o.offering_code})
                </Code>
              </span>
              {o.faculty && (
                <span className={css.dim}>
                  <Name row={o.faculty} />
                </span>
              )}
              <span>{t('registered_count', { count: o.registered })}</span>
              {may && (
                <Remove
                  label={t('unlink', { name: o.code ?? '' })}
                  disabled={busy}
                  onClick={() =>
                    void go(() => send(teamCalls.removeLinked, { params: { id: row.id }, body: { offering_id: o.id } }))
                  }
                />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Empty title={t('no_linked')} />
      )}
      <WhyNot row={row} ability="link" />
      {may && (
        <div className={css.adder}>
          <LookupInput
            key={round}
            label={t('add_linked')}
            resource="offering"
            filters={{ term_id: row.term_id }}
            defaultValue={null}
            onChange={setChosen}
          />
          <Submit onClick={() => void add()} missing={[chosen === null && t('add_linked')]} loading={busy}>
            {t('link')}
          </Submit>
        </div>
      )}
    </Card>
  )
}
