import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Name } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { RecheckComparison } from './parts.web.tsx'
import { recheckCalls, type RecheckDetail } from './recheck.contract.ts'
import css from './rechecks.module.css'

/** What the reviewer found: the mark it should be, and why. Another person decides. */
export default function ReviewMark() {
  const t = useT('grading')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(recheckCalls.get, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={t('say_finding')} subtitle={data ? <Name row={data.data.student} /> : ' '}>
      {data ? <Finding key={data.data.version} row={data.data} /> : <Bone height={320} />}
    </Page>
  )
}

function Finding({ row }: { row: RecheckDetail }) {
  const t = useT('grading')
  const navigate = useNavigate()
  const { send } = useChange('/grades-recheck')
  const back = () => void navigate(to('/control/grades_recheck/show/:id', { id: row.id }))
  return (
    <Card title={<Name row={row.course} />} aside={<Code>{row.student.code}</Code>}>
      <p className={css.why} dir="auto">
        {row.why}
      </p>
      <RecheckComparison row={row} />
      <Form
        fields={{
          mark: f.code(asLabel(t('mark_of', { max: row.max })), { required: true }),
          finding: f.longText(asLabel(t('finding')), { required: true, min: 3, max: 2000 }),
        }}
        values={{ mark: row.new_mark, finding: row.finding }}
        bar="dialog"
        always
        draft={`finding ${row.id}`}
        submit={t('save_finding')}
        onCancel={back}
        onSave={({ mark, finding }) =>
          send(recheckCalls.find, {
            params: { id: row.id },
            body: { mark: String(mark), finding: String(finding), version: row.version },
          })
        }
        onSaved={back}
      />
    </Card>
  )
}
