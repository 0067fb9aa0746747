import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Problems, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { signingCalls, type SigningFinding, type Verified } from './signing.contract.ts'
import css from '../grading.module.css'

const NOTED = /^\s*(\d+):([0-9a-f]{64})\s*$/

/** What was signed and what stands there: of a cell both, of the rest a sentence. */
function What({ one }: { one: SigningFinding }) {
  const t = useT('grading')
  const lang = useLanguage()
  const found =
    one.kind !== 'cell'
      ? t(one.about && one.kind === 'added' ? 'record_added' : `found_${one.kind}`)
      : one.about === 'history'
        ? t('found_changed')
        : null
  return (
    <>
      {one.about && (
        <div className={css.dim}>
          {t(`sealed_${one.about}`)} {one.term && <Code>{one.term.code}</Code>}
          {one.course && <Code>{one.course.code}</Code>}
        </div>
      )}
      <bdi>
        {found ?? (one.category ? nameOf(one.category, lang) : t(`sheet_${one.field ?? 'status'}` as 'sheet_status'))}
      </bdi>
    </>
  )
}

function Findings({ rows }: { rows: readonly SigningFinding[] }) {
  const t = useT('grading')
  const lang = useLanguage()
  const value = (text: string | null | undefined) =>
    text === null || text === undefined ? <span className={css.dim}>–</span> : <Code>{text}</Code>
  return (
    <Table
      label={t('findings')}
      className={css.table}
      height={380}
      rows={rows}
      rowKey={(_one, i) => i}
      rowGiven={() => ({ 'data-wrong': true })}
      columns={[
        {
          key: 'course',
          label: t('course'),
          cell: (one) => (
            <>
              {one.offering ? (
                <Link to={to('/offerings/grades/:id', { id: one.offering.id })}>
                  <Code>{one.offering.code}</Code>
                </Link>
              ) : (
                '–'
              )}
              {one.link !== undefined && <div className={css.dim}>{t('link_number', { number: one.link })}</div>}
            </>
          ),
        },
        {
          key: 'student',
          label: t('student'),
          cell: (one) =>
            one.student && (
              <span className={css.course}>
                <bdi>{nameOf(one.student, lang)}</bdi>
                <small>
                  <Code>{one.student.code}</Code>
                </small>
              </span>
            ),
        },
        { key: 'found', label: t('found'), cell: (one) => <What one={one} /> },
        { key: 'signed', label: t('signed_value'), cell: (one) => one.kind === 'cell' && value(one.signed) },
        {
          key: 'stands',
          label: t('stands_value'),
          cell: (one) => (one.kind === 'cell' || one.kind === 'status') && value(one.stands),
        },
      ]}
    />
  )
}

/** Verifies that marks are those that were signed: a job with progress, then every cell that differs. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const t = useT('grading')
  const { send } = useChange()
  const head = useCall(signingCalls.head, {}, { staleTime: 0 }).data?.data
  const [noted, setNoted] = useState('')
  const [job, setJob] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [result, setResult] = useState<Verified | null>(null)
  const read = NOTED.exec(noted)
  const wrong = noted.trim() !== '' && !read
  const start = () => {
    setError(null)
    send(signingCalls.verify, { body: read ? { noted: { number: Number(read[1]), hash: read[2]! } } : {} })
      .then(({ job_id }) => setJob(job_id))
      .catch(setError)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('verify_grades')}
      size={result?.count ? 'xl' : 560}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {result ? (
        <Stack>
          <p style={{ margin: 0 }}>
            <Status
              is={result.count ? 'failed' : 'done'}
              label={result.count ? t('findings_count', { count: result.count }) : t('as_signed')}
            />{' '}
            <span className={css.dim}>
              {t('verified_sheets', {
                count: result.sheets,
                registrations: result.registrations,
                records: result.records,
              })}
            </span>
          </p>
          {result.findings.length > 0 && <Findings rows={result.findings} />}
          {result.count > result.findings.length && (
            <p className={css.text}>{t('first_of', { shown: result.findings.length, count: result.count })}</p>
          )}
          {result.head && <Head head={result.head} />}
          <div className={css.buttons}>
            <Button onClick={onClose}>{t('close')}</Button>
          </div>
        </Stack>
      ) : job ? (
        <Stack>
          <ProgressJob id={job} label={t('verifying')} onDone={(answer) => setResult(answer as Verified)} />
          <p className={css.text}>{t('job_text')}</p>
        </Stack>
      ) : (
        <>
          <p className={css.text}>{t('verify_text')}</p>
          {head && <Head head={head} />}
          <TextInput
            mt="sm"
            label={t('noted_end')}
            description={t('noted_end_text')}
            value={noted}
            dir="ltr"
            error={wrong && t('noted_end_shape')}
            onChange={(event) => setNoted(event.currentTarget.value)}
          />
          {error !== null && <Problems error={error} />}
          <div className={css.buttons}>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Submit data-autofocus missing={[wrong && t('noted_end')]} onClick={start}>
              {t('verify')}
            </Submit>
          </div>
        </>
      )}
    </Modal>
  )
}

/** The end of the chain, as it is noted elsewhere. */
function Head({ head }: { head: NonNullable<Verified['head']> }) {
  const t = useT('grading')
  return (
    <p className={css.text}>
      {t('chain_end', { date: formatInstant(head.at) })}
      <br />
      <Code className={css.hash}>{`${head.number}:${head.hash}`}</Code>
    </p>
  )
}
