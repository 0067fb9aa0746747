import { keepPreviousData } from '@tanstack/react-query'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, to, useNavigate, useParams, useUnsaved } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { useDrafts } from '../equivalence/draft.web.ts'
import { Equivalences } from '../equivalence/editor.web.tsx'
import { OutcomeCard } from '../equivalence/outcome.web.tsx'
import css from '../transfers.module.css'
import { internalCalls } from './internal.contract.ts'
import type { InternalDetail } from './internal.contract.ts'

/** Decides what the courses of a transfer count as, with the degree audit of the outcome beside. */
export default function EditInternal() {
  const id = Number(useParams().transfer_id)
  const t = useT('transfers')
  const { data, error, refetch } = useCall(internalCalls.internalDetails, { params: { transfer_id: id } })
  if (error && !data)
    return (
      <Page title={t('equivalence')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!data)
    return (
      <Page title={null}>
        <Bone height={420} />
      </Page>
    )
  return <Editor key={data.data.version} transfer={data.data} />
}

function Editor({ transfer }: { transfer: InternalDetail }) {
  const { id, equivalences: lines } = transfer
  const t = useT('transfers')
  const k = useT('kit-screens')
  const navigate = useNavigate()
  const courses = useCall(internalCalls.internalProgramCourses, { params: { id }, body: {} })
  const { drafts, change, sent, asked, changed } = useDrafts(lines)
  const outcome = useCall(
    internalCalls.internalOutcome,
    { params: { id }, body: { courses: asked } },
    { placeholderData: keepPreviousData },
  )
  const { busy, problem, go, send } = useChange('/transfer', '/users/work')
  const open = lines.some((line) => line.state === 'proposed')
  useUnsaved(changed)
  const back = to('/students/:student_id/transfer/:transfer_id', {
    student_id: transfer.student.id,
    transfer_id: id,
  })
  const save = async () => {
    const done = await go(() =>
      send(internalCalls.decideInternal, { params: { id }, body: { courses: sent, version: transfer.version } }),
    )
    if (!done) return
    forgetUnsaved()
    notify.done(t('decided'))
    void navigate(back)
  }
  return (
    <Page
      title={transfer.student}
      subtitle={
        <Dotted>
          <Code>{transfer.student.code}</Code>
          <Name row={transfer.from_program} />
          <Name row={transfer.program} />
        </Dotted>
      }
      action={
        <Submit loading={busy} missing={[!changed && !open && k('nothing_changed')]} onClick={() => void save()}>
          {t('decide')}
        </Submit>
      }
    >
      <Stack>
        {problem !== null && <Problems error={problem} />}
        <Card title={t('equivalence')} text={t('equivalence_text')} changed={changed}>
          {courses.error ? (
            <Failed error={courses.error} retry={() => void courses.refetch()} />
          ) : lines.length === 0 ? (
            <Empty title={t('nothing_passed')} text={t('nothing_passed_text')} />
          ) : (
            <div className={css.form}>
              <Equivalences
                lines={lines}
                drafts={drafts}
                courses={courses.data?.data ?? []}
                grades={transfer}
                onChange={change}
              />
            </div>
          )}
        </Card>
        {outcome.error && !outcome.data ? (
          <Failed error={outcome.error} retry={() => void outcome.refetch()} />
        ) : (
          <OutcomeCard outcome={outcome.data?.data} busy={outcome.isFetching} />
        )}
      </Stack>
    </Page>
  )
}
