import { Button } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { act, Failed, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Answers, Offices, ServiceAnswer, ServiceFee } from './parts.web.tsx'
import { serviceCalls, type ServiceDetail } from './service.contract.ts'
import { SERVICE_FILES } from './service.rules.ts'

/** What a request has besides what the inbox shows: the answers, the work of the office whose turn it is, the chain and the fee. */
export function OfficeParts({ id, version }: { id: number; version: number }) {
  const { data, error, refetch } = useCall(serviceCalls.show, { params: { id } }, { meta: { version } })
  const of = data?.data
  if (error && !of) return <Failed error={error} retry={() => void refetch()} />
  if (!of) return <Bone height={260} />
  return (
    <>
      <Answers of={of} />
      <ServiceAnswer of={of} />
      {of.turn && <Work key={`${of.id} ${of.step}`} of={of} />}
      <Offices of={of} />
      <ServiceFee of={of} />
    </>
  )
}

type Typed = Readonly<Record<string, unknown>>

/** The office whose turn it is says what it did, and passes the request on; the last one answers it. */
function Work({ of }: { of: ServiceDetail }) {
  const t = useT('services')
  const { send } = useChange('/services', '/users/work')
  const office = of.steps.find(({ position }) => position === of.step)
  const next = of.steps.find(({ position }) => position === of.step + 1)
  const put = (more: { stay?: boolean; note?: string | null; file_id?: number | null }) =>
    send(serviceCalls.updateStatus, {
      params: { id: of.id },
      body: { status: of.last && !more.stay ? 'done' : 'in review', version: of.version, ...more },
    })
  const begin = () => act({ go: () => put({ stay: true }), done: () => t('begun') })
  const noteHelp = of.last ? 'answer_help' : office?.note_shown ? 'note_shown_help' : 'note_hidden_help'
  return (
    <Card
      title={t('your_part', { office: office ? nameOf(office) : '' })}
      text={t(noteHelp)}
      aside={
        of.status === 'New' && (
          <Button variant="default" size="xs" onClick={() => void begin()}>
            {t('take_up')}
          </Button>
        )
      }
    >
      <Form
        fields={{
          note: f.longText([t(of.last ? 'answer' : 'note'), t(of.last ? 'answer' : 'note')], {
            required: of.last,
            max: 2000,
          }),
          ...(of.last && { file_id: f.file([t('answer_file'), t('answer_file')], { accept: SERVICE_FILES }) }),
        }}
        always
        bar="dialog"
        submit={of.last ? t('finish') : t('forward_to', { office: next ? nameOf(next) : '' })}
        onSave={(typed: Typed) =>
          put({
            note: (typed.note as string | null | undefined) || null,
            ...(of.last && { file_id: (typed.file_id as number | null | undefined) ?? null }),
          })
        }
        onSaved={() => notify.done(of.last ? t('finished') : t('forwarded', { office: next ? nameOf(next) : '' }))}
      />
    </Card>
  )
}
