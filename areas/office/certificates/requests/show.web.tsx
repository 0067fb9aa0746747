import { Button } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { resourceCalls } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { FactsOf } from '#kit/web/detail/parts.tsx'
import { Failed } from '#kit/web/feedback/index.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow } from '#kit/web/list/columns.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { StandsSince } from '../turns/turn.web.tsx'
import { certificate, certificateFlow } from './certificate.contract.ts'
import { CertificateParts } from './parts.web.tsx'
import css from '../certificates.module.css'

const calls = resourceCalls(certificate)
const FACTS = [
  'student_id',
  'staff_id',
  'type_id',
  'lang',
  'copies',
  'print_count',
  'speed',
  'delivery',
  'address',
  'promised_on',
  'why',
] as const
/** Steps that follow the last signature by themselves. */
const BY_SIGNATURE = new Set(['dean_signed', 'approve'])
type Shown = AnyRow & { id: number; version: number; status: string; lang: string; abilities: string[] }

/** One certificate in full: what was asked, where it stands, what may be done, who signs, what was issued. */
export default function ShowCertificate() {
  const t = useT('certificates')
  const me = useMe()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.get, { params: { id } })
  const row = data?.data as unknown as Shown | undefined
  const steps = useSteps(certificateFlow as never, certificate.steps, {
    name: (one: Shown) => nameOf(one.type as never),
    refreshes: ['/certificates', '/users/work'],
  })
  if (error && !row) return <Failed error={error} retry={() => void refetch()} />
  if (!row)
    return (
      <Page title={'\u00A0'}>
        <Bone height={420} />
      </Page>
    )
  return (
    <Page
      title={nameOf(row.type as never)}
      subtitle={nameOf((row.student ?? row.staff) as never)}
      action={
        me.can('edit_certificate') && (
          <Button
            component={Link}
            to={to('/certificates/update/:id', { id })}
            variant="default"
            leftSection={<IconEdit size={16} aria-hidden />}
          >
            {t('change')}
          </Button>
        )
      }
    >
      <Stack>
        <Card aside={<StateBadge flow={certificateFlow} state={row.status} />} title={t('request')}>
          <div className={css.request}>
            <FactsOf
              fields={certificate.fields}
              row={row}
              names={FACTS.filter((name) => name !== (row.student ? 'staff_id' : 'student_id'))}
              cells={{}}
            />
            <StepLine
              flow={certificateFlow}
              calls={certificate.steps}
              id={id}
              state={row.status}
              here={<StandsSince row={row} />}
            />
            <div className={css.line}>
              {steps
                .actions(row as never)
                .filter(({ key }) => !BY_SIGNATURE.has(key))
                .map(({ key, label, disabled, onSelect }, i) => (
                  <Button
                    key={key}
                    variant={
                      i === 0 && certificateFlow.actions[key as 'issue'].tone !== 'refused' ? 'filled' : 'default'
                    }
                    color={certificateFlow.actions[key as 'issue'].tone === 'refused' ? 'red' : undefined}
                    disabled={disabled !== undefined}
                    title={disabled}
                    onClick={() => onSelect?.()}
                  >
                    {label}
                  </Button>
                ))}
            </div>
          </div>
        </Card>
        <CertificateParts id={id} version={row.version} lang={row.lang} />
        <Card title={t('history')}>
          <StepHistory flow={certificateFlow} calls={certificate.steps} id={id} />
        </Card>
      </Stack>
    </Page>
  )
}
