import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { getCurrentTerms } from '#areas/study/terms/terms/term.contract.ts'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import {
  formatMoney,
  formatNumber,
  nameOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
  withHeading,
} from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { invoiceFields as F } from '../invoices/invoice.contract.ts'
import { nextCalls, type NextResult } from './next.contract.ts'
import shared from '../../money.module.css'
import css from '../invoices.module.css'

type Step = { is: 'choose' } | { is: 'job'; id: string; preview: boolean } | { is: 'done'; result: NextResult }

/** Issues the next invoices of many: for whom, what it would be and what stands against it, then the job itself. */
export default function NextDialog({ onClose }: { onClose: () => void }) {
  const t = useT('invoices')
  const k = useT('kit-screens')
  const say = useLabel()
  const client = useQueryClient()
  const { busy, problem, go, send } = useChange('/payments', '/students')
  const { data: terms, isPending } = useCall(getCurrentTerms, {}, { staleTime: 300_000 })
  // Nothing chosen yet: the current one.
  const [chosen, setTerm] = useState<number | null | undefined>()
  const term = chosen === undefined ? (terms?.data.current_term?.id ?? null) : chosen
  const [faculty, setFaculty] = useState<number | null>(null)
  const [program, setProgram] = useState<number | null>(null)
  const [level, setLevel] = useState<string | null>(null)
  const [step, setStep] = useState<Step>({ is: 'choose' })
  const start = async (preview: boolean) => {
    if (term === null) return
    const done = await go(() =>
      send(nextCalls.many, {
        body: {
          term_id: term,
          preview,
          ...(faculty !== null && { faculty_id: faculty }),
          ...(program !== null && { program_id: program }),
          ...(level !== null && { level: Number(level) }),
        },
      }),
    )
    if (done) setStep({ is: 'job', id: done.answer.job_id, preview })
  }
  return (
    <Dialog opened onClose={onClose} title={t('issue_next')} size="lg" closeButtonProps={{ 'aria-label': t('close') }}>
      {step.is === 'job' ? (
        <Stack>
          <ProgressJob
            key={step.id}
            id={step.id}
            label={t(step.preview ? 'computing' : 'issuing')}
            onDone={(result) => {
              setStep({ is: 'done', result: result as NextResult })
              // The list behind has them now.
              if (!step.preview) void refresh(client, '/payments', '/students')
            }}
          />
          <p className={shared.text}>{t('job_text')}</p>
        </Stack>
      ) : (
        <Stack>
          {step.is === 'done' ? (
            <Result of={step.result} />
          ) : (
            <>
              <p className={shared.text}>{t('next_text')}</p>
              {isPending ? (
                <Bone height={62} />
              ) : (
                <LookupInput resource="term" label={say(F.term_id.label)} defaultValue={term} onChange={setTerm} />
              )}
              <LookupInput
                resource="faculty"
                label={<Optional label={say(F.faculty_id.label)} />}
                defaultValue={faculty}
                onChange={(value) => {
                  setFaculty(value)
                  setProgram(null)
                }}
              />
              <LookupInput
                key={faculty}
                resource="program"
                label={<Optional label={say(F.program_id.label)} />}
                defaultValue={program}
                {...(faculty !== null && { filters: { faculty_id: faculty } })}
                onChange={setProgram}
              />
              <Select
                label={<Optional label={say(F.level.label)} />}
                clearable
                data={Array.from({ length: 7 }, (_, i) => ({ value: String(i + 1), label: formatNumber(i + 1) }))}
                value={level}
                onChange={setLevel}
              />
            </>
          )}
          {problem !== null && <Problems error={problem} />}
          <div className={shared.buttons}>
            {step.is === 'choose' && (
              <Submit
                onCancel={onClose}
                loading={busy}
                missing={[term === null && say(F.term_id.label)]}
                onClick={() => void start(true)}
              >
                {t('look_first')}
              </Submit>
            )}
            {step.is === 'done' && step.result.preview && (
              <>
                <Button variant="default" onClick={() => setStep({ is: 'choose' })}>
                  {t('back')}
                </Button>
                <Submit
                  loading={busy}
                  missing={[!step.result.issued && k('nothing_to_do')]}
                  onClick={() => void start(false)}
                >
                  {t('issue_count', { count: step.result.issued })}
                </Submit>
              </>
            )}
            {step.is === 'done' && !step.result.preview && <Button onClick={onClose}>{t('close')}</Button>}
          </div>
        </Stack>
      )}
    </Dialog>
  )
}

/** What is issued, by currency, and what stands against the rest. */
function Result({ of }: { of: NextResult }) {
  const t = useT('invoices')
  const lang = useLanguage()
  const money = (minor: number, currency: string) => <bdi>{formatMoney(minor, currency)}</bdi>
  return (
    <>
      <p className={shared.text}>
        {t(of.preview ? 'would_issue' : 'was_issued', {
          count: of.issued,
          students: formatNumber(of.students),
          others: formatNumber(of.students - of.issued),
        })}
      </p>
      {of.sums.length > 0 && (
        <Table
          label={t('invoices')}
          className={css.table}
          rows={of.sums}
          rowKey={(one) => one.currency}
          columns={[
            { key: 'currency', label: t('currency'), cell: (one) => one.currency },
            { key: 'count', label: t('invoices'), figure: true, cell: (one) => formatNumber(one.count) },
            { key: 'gross', label: t('gross'), figure: true, cell: (one) => money(one.gross, one.currency) },
            {
              key: 'taken_off',
              label: t('taken_off'),
              figure: true,
              cell: (one) => money(one.gross - one.amount, one.currency),
            },
            { key: 'total', label: t('total'), figure: true, cell: (one) => money(one.amount, one.currency) },
          ]}
        />
      )}
      {of.refused.length > 0 && (
        <>
          <p className={shared.text}>{t('not_issued')}</p>
          <ul className={css.reasons}>
            {of.refused.map((one, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
              <li key={i}>
                {withHeading(t('refused_count', { count: one.count }), problemText(one.problem))}
                <span className={css.words}>
                  {one.students.map((student, n) => (
                    <span key={student.id}>
                      {n > 0 && (lang === 'ar' ? '، ' : ', ')}
                      <Link to={to('/students/:id', { id: student.id })}>
                        <bdi>{nameOf(student, lang)}</bdi>
                      </Link>
                    </span>
                  ))}
                  {one.count > one.students.length ? ' …' : ''}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
