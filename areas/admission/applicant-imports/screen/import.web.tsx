import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Problems, Status } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { FileDrop } from '#kit/web/form/file-drop.tsx'
import { formatInstant, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import {
  applicantImportCalls as calls,
  IMPORT_STAGES,
  type ImportSummary,
  type ShownImport,
} from '../import.contract.ts'
import { NameColumns } from './columns.web.tsx'
import { ComparedRows } from './compared.web.tsx'
import css from './import.module.css'

/** The sheet of a ministry: handed in, its columns named, compared with what is there, and saved. */
export default function ImportApplicants() {
  const t = useT('applicant-imports')
  const [address, setAddress] = useSearchParams()
  const id = Number(address.get('id')) || null
  const open = (next: number | null) => setAddress(next === null ? {} : { id: String(next) })
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      {id === null ? <Begin onOpen={open} /> : <OneImport key={id} id={id} onLeave={() => open(null)} />}
    </Page>
  )
}

function Begin({ onOpen }: { readonly onOpen: (id: number) => void }) {
  const t = useT('applicant-imports')
  const [admission, setAdmission] = useState<number | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const { problem, go, send } = useChange()
  const take = async (file: File) => {
    setProgress(0)
    const done = await go(() =>
      send(calls.upload, { body: { admission_id: String(admission) }, file, onProgress: setProgress }),
    )
    setProgress(null)
    if (done) onOpen(done.answer.data.id)
  }
  return (
    <Stack>
      <Card title={t('hand_in')} text={t('hand_in_text')}>
        <div className={css.form}>
          <LookupInput resource="admission" label={t('admission')} defaultValue={null} onChange={setAdmission} />
          {admission !== null && (
            <FileDrop
              text={t('drop')}
              progress={progress}
              onFile={(file) => void take(file)}
              accept=".csv,.txt,.xlsx"
            />
          )}
          {problem !== null && <Problems error={problem} />}
        </div>
      </Card>
      <LastImports />
    </Stack>
  )
}

function LastImports() {
  const t = useT('applicant-imports')
  const say = useLabel()
  const { data, error, refetch } = useCall(calls.list, {})
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={200} />
  const stageOf = (one: ImportSummary) => IMPORT_STAGES.find(({ value }) => value === one.stage)
  return (
    <Card title={t('last')}>
      <Table<ImportSummary>
        label={t('last')}
        rows={data.data}
        rowKey={(one) => one.id}
        empty={t('none_yet')}
        columns={[
          {
            key: 'file',
            label: t('file'),
            head: true,
            cell: (one) => (
              <span className={css.words}>
                <Link to={`${to('/applicants/import')}?id=${one.id}`}>
                  <bdi>{one.file}</bdi>
                </Link>
                <small>
                  <Name row={one.admission} />
                </small>
              </span>
            ),
          },
          {
            key: 'stage',
            label: t('stage'),
            cell: (one) => {
              const stage = stageOf(one)
              return stage && <Status tone={stage.tone} label={say(stage.label)} />
            },
          },
          { key: 'rows', label: t('rows'), figure: true, cell: (one) => formatNumber(one.rows) },
          { key: 'wrong', label: t('wrong'), figure: true, cell: (one) => formatNumber(one.counts.wrong) },
          { key: 'by', label: t('by'), cell: (one) => one.by && <Name row={one.by} /> },
          { key: 'at', label: t('at'), cell: (one) => formatInstant(one.created_at) },
        ]}
      />
    </Card>
  )
}

function OneImport({ id, onLeave }: { readonly id: number; readonly onLeave: () => void }) {
  const t = useT('applicant-imports')
  const client = useQueryClient()
  const [again, setAgain] = useState(false)
  const { data, error, refetch } = useCall(calls.show, { params: { id } }, { placeholderData: keepPreviousData })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const of = data.data
  const ended = () => {
    setAgain(false)
    void refresh(client, '/applicants')
  }
  const naming = of.stage === 'read' || again
  return (
    <Stack>
      <Head of={of} onLeave={onLeave} />
      {of.job_id !== null ? (
        <Card title={of.stage === 'saving' ? t('saving') : t('checking')} text={t('job_text')}>
          <ProgressJob
            key={of.job_id}
            id={of.job_id}
            label={of.stage === 'saving' ? t('saving') : t('checking')}
            onDone={ended}
            cancellable={of.stage !== 'saving'}
          />
        </Card>
      ) : naming ? (
        <NameColumns
          key={`${of.encoding} ${of.headings.join('\n')}`}
          of={of}
          onStarted={ended}
          onCancel={of.stage === 'read' ? undefined : () => setAgain(false)}
        />
      ) : (
        <ComparedRows of={of} onColumns={() => setAgain(true)} onChanged={ended} onLeave={onLeave} />
      )}
    </Stack>
  )
}

function Head({ of, onLeave }: { readonly of: ShownImport; readonly onLeave: () => void }) {
  const t = useT('applicant-imports')
  const say = useLabel()
  const stage = IMPORT_STAGES.find(({ value }) => value === of.stage)
  return (
    <Card
      title={<bdi>{of.file}</bdi>}
      aside={stage && <Status tone={stage.tone} label={say(stage.label)} />}
      text={
        <>
          <Name row={of.admission} /> · <Code>{formatNumber(Math.max(1, Math.round(of.size / 1000)))} kB</Code>
          {of.by && (
            <>
              {' · '}
              <Name row={of.by} />
            </>
          )}{' '}
          ·{' '}
          <Link
            to={to('/applicants/import')}
            onClick={(event) => {
              event.preventDefault()
              onLeave()
            }}
          >
            {t('all_imports')}
          </Link>
        </>
      }
    />
  )
}
