import { Suspense, useState } from 'react'
import { Checkbox, Modal, SegmentedControl } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { opens } from '#kit/web/auth/me.ts'
import { Code, Empty, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatInstant, formatNumber, language, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { IssuedPapers } from '#kit/web/papers/papers.tsx'
import { Link, screenAt, to } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../students.module.css'
import { papersAsData, papersFromElsewhere } from '../outlets.contract.ts'
import { studentPapers, transcriptCalls } from './transcript.contract.ts'

const AsData = filled(papersAsData)
const FromElsewhere = filled(papersFromElsewhere)

/** Asks for the language of a transcript, and prints it. */
export function PrintTranscript({
  id,
  all,
  own = false,
  onClose,
}: {
  id: number
  all: boolean
  /** The student prints: what the paper is good for, and where an official one comes from, is said. */
  own?: boolean
  onClose: () => void
}) {
  const t = useT('students')
  const [lang, setLang] = useState<'ar' | 'en'>(language() === 'ar' ? 'ar' : 'en')
  const [whole, setWhole] = useState(false)
  const { problem, busy, go } = useChange(transcriptCalls.issued.path)
  const print = async () => {
    if (await go(() => download(transcriptCalls.transcript, { params: { id, lang }, body: { all: whole } }))) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('transcript')}>
      <div className={css.dialog}>
        <SegmentedControl
          fullWidth
          value={lang}
          onChange={(value) => setLang(value)}
          aria-label={t('paper_language')}
          data={[
            { value: 'ar', label: t('arabic') },
            { value: 'en', label: t('english') },
          ]}
        />
        <p className={css.dim} style={{ margin: 0 }}>
          {t('transcript_text')}
        </p>
        {own && <Official />}
        {all && (
          <Checkbox
            checked={whole}
            onChange={(event) => setWhole(event.currentTarget.checked)}
            label={t('transcript_all')}
            description={t('transcript_all_text')}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={css.dialogButtons}>
          <Submit
            missing={[]}
            onCancel={onClose}
            leftSection={<IconPrinter size={16} aria-hidden />}
            loading={busy}
            onClick={() => void print()}
            data-autofocus
          >
            {t('print')}
          </Submit>
        </div>
      </div>
    </Modal>
  )
}

/** Where a student gets a transcript that others can verify. */
function Official() {
  const t = useT('students')
  // Where papers are asked for, with their fee and the day; without that, of the staff.
  const asks = ['/services/certification/add', '/my-tickets/add']
    .map(screenAt)
    .find((screen) => screen && opens(screen))
  return (
    <p style={{ margin: 0 }}>
      {t('transcript_own_text')} <Link to={`${to('/student-profile')}?tab=papers`}>{t('transcript_yours')}</Link>
      {asks && (
        <>
          {' · '}
          <Link to={`${asks.path}?document=transcript`}>{t('transcript_ask')}</Link>
        </>
      )}
    </p>
  )
}

/** Official papers of a student, and beneath them what was printed without being official. */
export function TranscriptPapers({ id }: { id: number }) {
  const t = useT('students')
  const tp = useT('papers')
  return (
    <Stack>
      <Card title={tp('papers')}>
        <IssuedPapers of={studentPapers} id={id} />
      </Card>
      <Suspense fallback={<Bone height={120} />}>
        <AsData id={id} />
        <FromElsewhere id={id} />
      </Suspense>
      <Card title={t('printed_transcripts')}>
        <PrintedTranscripts id={id} />
      </Card>
    </Stack>
  )
}

/** Transcripts that were printed of a student. */
function PrintedTranscripts({ id }: { id: number }) {
  const t = useT('students')
  const { data, error, refetch } = useCall(transcriptCalls.issued, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <DataTable
      caption={t('printed_transcripts')}
      rows={data?.data}
      expected={3}
      empty={<Empty title={t('no_papers')} text={t('no_papers_text')} />}
      columns={[
        { key: 'serial', label: ['Serial', 'الرقم المسلسل'], width: 150, cell: (row) => <Code>{row.serial}</Code> },
        {
          key: 'issued_at',
          label: ['Printed', 'تاريخ الطباعة'],
          width: 180,
          cell: (row) => formatInstant(row.issued_at),
        },
        { key: 'issued_by', label: ['By', 'بواسطة'], width: 220, cell: (row) => <bdi>{row.issued_by ?? '–'}</bdi> },
        {
          key: 'lang',
          label: ['Language', 'اللغة'],
          width: 110,
          cell: (row) => t(row.lang === 'ar' ? 'arabic' : 'english'),
        },
        {
          key: 'all_results',
          label: ['Kind', 'النوع'],
          width: 150,
          cell: (row) => (
            <Status
              is={row.all_results ? 'internal' : 'official'}
              label={t(row.all_results ? 'internal' : 'official')}
            />
          ),
        },
        {
          key: 'courses',
          label: ['Courses', 'المقررات'],
          width: 90,
          align: 'end',
          cell: (row) => formatNumber(row.courses),
        },
        {
          key: 'gpa',
          label: ['GPA', 'المعدل التراكمي'],
          width: 90,
          align: 'end',
          cell: (row) => <Code>{formatNumber(row.gpa, 2) || '–'}</Code>,
        },
      ]}
    />
  )
}
