import { Button, Checkbox, NumberInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { ApiError, useCall, useChange } from '#kit/web/api/index.ts'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useParams, useUnsaved, forgetUnsaved } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { offering, offeringCalls } from './offering.contract.ts'
import css from './offerings.module.css'
import { offeringCode, offerings } from './parts.web.tsx'
import type { OfferingRow } from './parts.web.tsx'
import { draftsOf, reasonsByRow, sentOf, type MeetingDraft } from './slots/drafts.web.ts'
import { SlotEditor } from './slots/editor.web.tsx'

/** Facts that can be changed, in sections. */
export const SECTIONS = [
  { title: ['Identity', 'التعريف'], fields: ['code', 'is_open', 'notes'] },
  {
    title: ['Where it belongs', 'الجهة'],
    text: ['Who offers it, and for which level.', 'الجهة التي تطرحه والمستوى.'],
    fields: ['faculty_id', 'department_id', 'level'],
  },
  { title: ['Students', 'الطلاب'], fields: ['min_students', 'max_students'] },
  {
    title: ['Marks', 'الدرجات'],
    text: ['The scheme can be exchanged until the first mark is entered.', 'يمكن تغيير التوزيع حتى رصد أول درجة.'],
    fields: ['mark_id'],
  },
] as const
const names = SECTIONS.flatMap((s) => [...s.fields])
export const FACT_FIELDS = Object.fromEntries(names.map((name) => [name, offering.fields[name]]))

/** Changes an offering: its facts, and its groups and meetings under a tab of their own. */
export default function EditOffering() {
  const id = Number(useParams().id)
  const t = useT('offerings')
  const k = useT('kit-screens')
  const say = useLabel()
  const { data, error, refetch } = useCall(
    offerings.get,
    { params: { id } },
    { refetchOnWindowFocus: false, gcTime: 0 },
  )
  const row = data?.data
  if (!row) {
    return (
      <Page title={say(offering.editing)}>
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Bone />}
      </Page>
    )
  }
  if (row.removed) {
    return (
      <Page title={say(offering.editing)}>
        <Empty title={k('removed_cannot_edit')} text={k('removed_cannot_edit_text')} />
      </Page>
    )
  }
  const facts = { key: 'facts', label: t('facts'), content: () => <Facts row={row} /> }
  const meetings = { key: 'meetings', label: t('meetings'), content: () => <Slots key={row.version} row={row} /> }
  const tabs = [
    ...(row.abilities.includes('edit') ? [facts] : []),
    ...(row.abilities.includes('slots') ? [meetings] : []),
  ]
  return (
    <Page
      title={say(offering.editing)}
      subtitle={
        <>
          <Code>{offeringCode(row)}</Code>
        </>
      }
    >
      {tabs.length ? <ScreenTabs tabs={tabs} /> : <Empty title={t('frozen_title')} text={t('frozen_text')} />}
    </Page>
  )
}

function Facts({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const k = useT('kit-screens')
  const navigate = useNavigate()
  const { send } = useChange('/offerings')
  const back = () => void navigate(to('/offering/:id', { id: row.id }))
  return (
    <Form
      fields={FACT_FIELDS}
      values={row}
      sections={SECTIONS}
      locked={row.control_status === 'Draft' ? undefined : names.filter((name) => name !== 'notes')}
      lockedWhy={t('facts_locked')}
      onCancel={back}
      onSave={(_all, changed, version) =>
        send(offeringCalls.edit, { params: { id: row.id }, body: { ...changed, version } })
      }
      onSaved={() => {
        notify.done(k('saved'))
        back()
      }}
    />
  )
}

const same = (a: MeetingDraft, b: MeetingDraft | undefined) =>
  b !== undefined && JSON.stringify(sentOf(a)) === JSON.stringify(sentOf(b))

function Slots({ row }: { row: OfferingRow }) {
  const t = useT('offerings')
  const k = useT('kit-screens')
  const navigate = useNavigate()
  const before = useMemo(() => draftsOf(row), [row])
  const [round, setRound] = useState(0)
  const [drafts, setDrafts] = useState<readonly MeetingDraft[]>(before)
  const [groups, setGroups] = useState<number | string>(Math.max(1, row.groups?.length ?? 1))
  const [allow, setAllow] = useState(false)
  const { problem: error, busy, go, send, forget } = useChange('/offerings')
  const old = useMemo(() => new Map(before.map((d) => [d.key, d])), [before])
  const changed = new Set(drafts.filter((d) => !same(d, old.get(d.key))).map((d) => d.key))
  const number = Math.max(1, Number(groups) || 1)
  const changes =
    changed.size +
    before.filter((d) => !drafts.some((x) => x.key === d.key)).length +
    (number === Math.max(1, row.groups?.length ?? 1) ? 0 : 1)
  useUnsaved(changes > 0)
  const { rest } = reasonsByRow(error)
  const students = error instanceof ApiError && error.errors.some((e) => e.code === 'students_busy')
  const save = async () => {
    const saved = await go(() =>
      send(offeringCalls.edit, {
        params: { id: row.id },
        body: { version: row.version, groups: number, slots: drafts.map(sentOf), allow_student_clashes: allow },
      }),
    )
    if (!saved) return
    forgetUnsaved()
    notify.done(k('saved'))
    void navigate(to('/offering/:id', { id: row.id }, { tab: 'meetings' }))
  }
  const discard = () => {
    setDrafts(before)
    setGroups(Math.max(1, row.groups?.length ?? 1))
    forget()
    setRound(round + 1)
  }
  return (
    <div>
      <div className={css.toolbar}>
        <NumberInput
          label={t('groups_number')}
          size="xs"
          w={130}
          value={groups}
          onChange={setGroups}
          min={1}
          max={500}
          allowDecimal={false}
        />
        <p className={css.dim} style={{ margin: 0, flex: '1 1 260px' }}>
          {t('section_help')}
        </p>
      </div>
      {error !== null && (rest.length > 0 || !(error instanceof ApiError && error.errors.length)) && (
        <Problems
          error={error instanceof ApiError && rest.length < error.errors.length ? new Error(rest.join('\n')) : error}
          title={t('not_saved')}
        />
      )}
      <SlotEditor
        key={round}
        value={drafts}
        onChange={setDrafts}
        groups={Math.max(number, ...drafts.map((d) => d.group))}
        error={error}
        changed={changed}
        term_id={row.term?.id ?? null}
        offering_id={row.id}
      />
      {students && (
        <Checkbox
          mt={10}
          checked={allow}
          onChange={(event) => setAllow(event.currentTarget.checked)}
          label={t('allow_student_clashes')}
        />
      )}
      {(changes > 0 || busy) && (
        <div className={`${css.saveBar} no-print`} data-save-bar role="region" aria-label={k('unsaved_changes')}>
          <span aria-live="polite">{k('changes', { count: changes })}</span>
          <Button variant="default" onClick={discard} disabled={busy}>
            {k('discard')}
          </Button>
          <Button onClick={() => void save()} loading={busy} leftSection={<IconCheck size={16} aria-hidden />}>
            {k('save')}
          </Button>
        </div>
      )}
    </div>
  )
}
