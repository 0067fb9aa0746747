import { Button } from '@mantine/core'
import { IconArrowMerge, IconFile, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { f } from '#kit/contract/field.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import type { Row } from '#kit/contract/resource.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Failed, Name, Status, notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatBytes, formatInstant, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { part } from '#kit/web/later.ts'
import { Bone, Card, Cards } from '#kit/web/shell/card.tsx'
import { APPLICANT_STATUSES, APPLICATION_TABS, TABS_OF, type ApplicationTab } from '../words.contract.ts'
import type { applicant } from './applicant.contract.ts'
import { applicantDeskCalls as calls } from './desk.contract.ts'
import css from '../apply/apply.module.css'

const MergeDialog = part(async () => (await import('../merging/merge-dialog.web.tsx')).MergeDialog)
type Applicant = Row<typeof applicant>
type Found = ResponseOf<typeof calls.review>['data']

/** What the desk looks at: the files side by side, what was written to the applicant, and who else it may be. */
export function ReviewOfApplicant({ row }: { row: Applicant }) {
  const t = useT('applicants')
  const { data, error, refetch } = useCall(calls.review, { params: { id: row.id } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const { files, comments, alike } = data.data
  return (
    <>
      {alike.length > 0 && (
        <Card title={t('alike')} text={t('alike_text')}>
          <Alike alike={alike} row={row} />
        </Card>
      )}
      <Cards>
        <Card title={t('files')}>
          {files.length === 0 ? <p className={css.dim}>{t('no_files')}</p> : <Files files={files} />}
        </Card>
        <Card title={t('comments')} text={t('comments_text')}>
          <Comments row={row} comments={comments} />
        </Card>
      </Cards>
    </>
  )
}

function Files({ files }: { files: Found['files'] }) {
  const lang = useLanguage()
  return (
    <ul className={css.thumbs}>
      {files.map(({ kind, file }) => (
        <li key={file.id}>
          <a href={file.url} target="_blank" rel="noreferrer">
            {/\.(?:jpe?g|png)$/i.test(file.name) ? (
              <img src={file.url} alt={nameOf(kind, lang)} loading="lazy" />
            ) : (
              <IconFile size={36} stroke={1.4} aria-hidden />
            )}
            <strong>{nameOf(kind, lang)}</strong>
            <small>
              <bdi>{file.name}</bdi> · {formatBytes(file.size)}
            </small>
          </a>
        </li>
      ))}
    </ul>
  )
}

function Comments({ row, comments }: { row: Applicant; comments: Found['comments'] }) {
  const t = useT('applicants')
  const say = useLabel()
  const { send } = useChange('/applicants')
  const writes = row.status === 'INCOMPLETE' || row.status === 'FEEDBACK'
  const open = may('review_applicant') && !writes && row.status !== 'CANCELLED'
  const remove = async (comment: number) => {
    try {
      await send(calls.removeComment, { params: { id: row.id, comment } })
    } catch (error) {
      notify.error(error)
    }
  }
  return (
    <>
      <ul className={css.comments}>
        {comments.map((one) => (
          <li key={one.id} data-settled={one.settled || undefined}>
            <small>
              {say(APPLICATION_TABS[one.tab])} · {one.by && <Name row={one.by} />} · {formatInstant(one.at)}
              {one.settled && ` · ${t('settled')}`}
            </small>
            <span dir="auto">{one.text}</span>
            {open && !one.settled && (
              <Button
                variant="subtle"
                size="compact-xs"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => void remove(one.id)}
              >
                {t('remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {open ? <AddComment row={row} /> : writes && <p className={css.dim}>{t('writes_now')}</p>}
    </>
  )
}

function AddComment({ row }: { row: Applicant }) {
  const t = useT('applicants')
  const { send } = useChange('/applicants')
  const tabs = TABS_OF[row.applicant_type as 1]
  return (
    <Form
      key={row.version}
      fields={{
        tab: f.choice(
          asLabel(t('about_page')),
          tabs.map((value) => ({ value, label: APPLICATION_TABS[value] })),
          { required: true },
        ),
        text: f.longText(asLabel(t('comment')), { required: true, min: 3, max: 1000 }),
      }}
      values={{ tab: tabs[0] ?? null, text: null }}
      bar="dialog"
      always
      submit={t('add_comment')}
      onSave={async (values) => {
        const { tab, text } = values as { tab: ApplicationTab; text: string }
        await send(calls.comment, { params: { id: row.id }, body: { tab, text } })
      }}
      onSaved={() => notify.done(t('comment_added'))}
    >
      <Field name="tab" wide />
      <Field name="text" wide />
    </Form>
  )
}

function Alike({ alike, row }: { alike: Found['alike']; row: Applicant }) {
  const t = useT('applicants')
  const say = useLabel()
  const [merging, setMerging] = useState<number | null>(null)
  return (
    <>
      <ul className={css.comments}>
        {alike.map((one) => {
          const status = APPLICANT_STATUSES.find(({ value }) => value === one.status)
          return (
            <li key={one.id}>
              <span>
                <Link to={to('/applicants/:id', { id: one.id })}>
                  <Code>{one.code}</Code>
                </Link>{' '}
                {one.name && <Name row={{ name: one.name, name_local: one.name_local ?? one.name }} />} ·{' '}
                <Name row={one.admission} /> {status && <Status tone={status.tone} label={say(status.label)} />}
              </span>
              <small>{t(`alike_${one.by}`)}</small>
              {may('cancel_applicant') && one.admission.id === row.admission?.id && one.status !== 'CANCELLED' && (
                <Button
                  variant="default"
                  size="compact-xs"
                  leftSection={<IconArrowMerge size={14} aria-hidden />}
                  onClick={() => setMerging(one.id)}
                >
                  {t('merge')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <Suspense fallback={null}>
        {merging !== null && <MergeDialog one={row.id} other={merging} onClose={() => setMerging(null)} />}
      </Suspense>
    </>
  )
}
