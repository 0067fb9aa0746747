import { Button, Checkbox, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { Whom } from '#kit/web/feedback/weight.tsx'
import type { Concerned } from '#kit/web/feedback/weight.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { studentCalls, type SpecializationCandidate } from './students.contract.ts'
import css from '../specializations.module.css'

type Row = SpecializationCandidate & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'code',
    label: ['Student', 'الطالب'],
    sort: true,
    width: 250,
    cell: (row) => (
      <span className={css.words}>
        <Name row={row} />
        <small className={css.dim}>
          <Code>{row.code}</Code>
        </small>
      </span>
    ),
  },
  { key: 'program', label: ['Program', 'البرنامج'], width: 200, cell: (row) => <Name row={row.program} /> },
  {
    key: 'gpa',
    label: ['GPA', 'المعدل التراكمي'],
    sort: true,
    align: 'end',
    width: 90,
    cell: (row) => <Code>{row.gpa ?? '–'}</Code>,
  },
  {
    key: 'passed_hours',
    label: ['Passed hours', 'الساعات المجتازة'],
    sort: true,
    align: 'end',
    width: 110,
    cell: (row) => <Code>{row.passed_hours}</Code>,
  },
  {
    key: 'first',
    label: ['First wish', 'الرغبة الأولى'],
    width: 200,
    cell: (row) => (row.first ? <Name row={row.first} /> : '–'),
  },
  {
    key: 'wishes',
    label: ['Wishes', 'الرغبات'],
    align: 'end',
    width: 90,
    cell: (row) => <Code>{formatNumber(row.wishes)}</Code>,
  },
  { key: 'given', label: ['Specialised into', 'التخصص'], width: 200, cell: (row) => <Given row={row} /> },
]
function Given({ row }: { row: Row }) {
  const t = useT('specializations')
  return row.given ? <Name row={row.given} /> : <Status is="general" label={t('still_general')} />
}

/** Students of general programs: their wishes, and putting them into a program by hand. */
export default function SpecializationStudents() {
  const t = useT('specializations')
  const me = useMe()
  const bulk = me.can('bulk_specialize')
  const [chosen, setChosen] = useState<{ ids: readonly number[]; whom: Concerned } | null>(null)
  return (
    <>
      <ListScreen<Row>
        call={studentCalls.list}
        title={['Students’ specialisation', 'تشعيب الطلاب']}
        columns={COLUMNS}
        filters={{
          program_id: f.lookup(['Program', 'البرنامج'], 'program'),
          faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
          first_id: f.lookup(['First wish', 'الرغبة الأولى'], 'specialization'),
          with_wishes: f.flag(['With wishes', 'سجلوا رغبات']),
          specialised: f.flag(['Specialised', 'تم تشعيبهم']),
        }}
        rowHref={(row) =>
          me.can('access_student_specialization')
            ? to('/students/specializations/:student_id', { student_id: row.id })
            : null
        }
        bulk={
          bulk
            ? [
                {
                  key: 'specialise',
                  label: t('specialise'),
                  asks: true,
                  applies: (row) => (row as unknown as Row).abilities.includes('specialise'),
                  run: (ids, whom) => {
                    setChosen({ ids, whom })
                    return Promise.resolve({ done: [], failed: [] })
                  },
                },
              ]
            : undefined
        }
        empty={{ title: t('candidates_empty'), text: t('candidates_empty_text') }}
      />
      {chosen && <Specialise {...chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

/** Which program, and whether conditions and places are set aside. */
function Specialise({ ids, whom, onClose }: { ids: readonly number[]; whom: Concerned; onClose: () => void }) {
  const t = useT('specializations')
  const lang = useLanguage()
  const [failed, setFailed] = useState<ResponseOf<typeof studentCalls.bulk>['failed']>([])
  const [program, setProgram] = useState<number | null>(null)
  const [override, setOverride] = useState(false)
  const [reason, setReason] = useState('')
  const { busy, problem, go, send } = useChange('/specialization', '/specialization-time', '/students')
  const start = () =>
    go(async () => {
      const answer = await send(studentCalls.bulk, {
        params: { programId: program! },
        body: { student_ids: [...ids], override, ...(reason.trim() && { reason: reason.trim() }) },
      })
      if (answer.done.length) notify.done(t('specialised_count', { count: answer.done.length }))
      setFailed(answer.failed)
      if (!answer.failed.length) onClose()
    })
  return (
    <Modal opened onClose={onClose} title={t('specialise')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Whom whom={whom} />
      <LookupInput
        resource="program"
        label={t('into')}
        defaultValue={null}
        filters={{ is_general: false }}
        onChange={setProgram}
      />
      <Checkbox
        mt="sm"
        label={t('set_aside')}
        checked={override}
        onChange={(event) => setOverride(event.currentTarget.checked)}
      />
      <Textarea
        mt="sm"
        label={t('reason')}
        required={override}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {problem !== null && <Problems error={problem} />}
      {failed.length > 0 && (
        <ul className={css.list}>
          {failed.map((one) => (
            <li key={one.id}>
              <Code>{one.name ?? String(one.id)}</Code>
              {one.errors.map((reason) => (
                <div key={`${reason.code} ${reason.en}`} className={css.note}>
                  {problemText(reason, lang)}
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
      <div className={css.bar}>
        <Submit
          onClick={() => void start()}
          loading={busy}
          missing={[program === null && t('into'), override && !reason.trim() && t('reason')]}
        >
          {t('specialise')}
        </Submit>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </Modal>
  )
}
