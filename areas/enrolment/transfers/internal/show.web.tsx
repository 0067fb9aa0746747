import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { download, useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { formatInstant, paperLanguageOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, StepLine } from '#kit/web/workflow/index.ts'
import { Equivalences } from '../equivalence/editor.web.tsx'
import { OutcomeCard } from '../equivalence/outcome.web.tsx'
import css from '../transfers.module.css'
import { internalCalls, internalFlow, internalSteps } from './internal.contract.ts'
import type { InternalDetail } from './internal.contract.ts'
import { useInternalSteps } from './list.web.tsx'

/** One internal transfer: who moves where and why, what speaks against it, what the courses count as, and every step. */
export default function InternalTransfer() {
  const id = Number(useParams().transfer_id)
  const t = useT('transfers')
  const me = useMe()
  const { data, error, refetch } = useCall(internalCalls.internalDetails, { params: { transfer_id: id } })
  const steps = useInternalSteps()
  const transfer = data?.data
  const waits = transfer?.status === 'added' || transfer?.status === 'agreed'
  const outcome = useCall(internalCalls.internalOutcome, { params: { id }, body: { courses: [] } }, { enabled: waits })
  if (error && !transfer)
    return (
      <Page title={t('internal')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!transfer)
    return (
      <Page title={null}>
        <Bone height={420} />
      </Page>
    )
  const next = steps.next(transfer)
  const edits = waits && me.can('edit_equivalence')
  return (
    <Page
      title={transfer.student}
      subtitle={
        <Dotted>
          <Code>{transfer.student.code}</Code>
          <StateBadge flow={internalFlow} state={transfer.status} />
        </Dotted>
      }
      action={next ? <MainButton action={{ ...next, icon: undefined }} /> : undefined}
      menu={
        <MenuItems
          actions={[
            ...steps.actions(transfer).filter((one) => one.key !== next?.key),
            {
              key: 'paper',
              label: t('paper'),
              icon: <IconFileText size={15} aria-hidden />,
              onSelect: () =>
                void withOverlay(
                  download(internalCalls.internalDecision, { params: { id, lang: paperLanguageOf() } }),
                ).catch(notify.error),
            },
          ]}
        />
      }
    >
      <Stack>
        <StepLine flow={internalFlow as never} calls={internalSteps} id={id} state={transfer.status} />
        <Card title={t('internal')}>
          <FactsOfTransfer transfer={transfer} staff={me.can('show_students')} />
        </Card>
        {transfer.against.length > 0 && (
          <Card title={t('against')} text={t('against_text')}>
            <ul className={css.groups}>
              {transfer.against.map((one) => (
                <li key={one.code}>{problemText(one)}</li>
              ))}
            </ul>
          </Card>
        )}
        {waits && (outcome.error ? <Failed error={outcome.error} /> : <OutcomeCard outcome={outcome.data?.data} />)}
        <Card
          title={t('equivalence')}
          aside={
            edits ? (
              <Button
                size="xs"
                variant="default"
                component={Link}
                to={to('/students/edit/:student_id/transfer/:transfer_id', {
                  student_id: transfer.student.id,
                  transfer_id: id,
                })}
              >
                {t('edit_equivalence')}
              </Button>
            ) : undefined
          }
        >
          {transfer.equivalences.length ? (
            <Equivalences lines={transfer.equivalences} grades={transfer} />
          ) : (
            <Empty title={t('nothing_passed')} text={t('nothing_passed_text')} />
          )}
        </Card>
        {transfer.others.length > 0 && (
          <Card title={t('others')}>
            <ul className={css.groups}>
              {transfer.others.map((other) => (
                <li key={other.id} className={css.bar}>
                  <Link
                    to={to('/students/:student_id/transfer/:transfer_id', {
                      student_id: transfer.student.id,
                      transfer_id: other.id,
                    })}
                  >
                    <Name row={other.program} />
                  </Link>
                  <Name row={other.term} />
                  <StateBadge flow={internalFlow} state={other.status} />
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Card title={t('history')}>
          <StepHistory flow={internalFlow as never} calls={internalSteps} id={id} />
        </Card>
      </Stack>
    </Page>
  )
}

function FactsOfTransfer({ transfer, staff }: { transfer: InternalDetail; staff: boolean }) {
  const t = useT('transfers')
  const student = (
    <>
      <Name row={transfer.student} /> <Code>{transfer.student.code}</Code>
    </>
  )
  return (
    <Facts
      items={[
        {
          label: t('student'),
          value: staff ? <Link to={to('/students/:id', { id: transfer.student.id })}>{student}</Link> : student,
        },
        {
          label: t('from'),
          value: (
            <>
              <Name row={transfer.from_program} /> · <Name row={transfer.from_faculty} />
            </>
          ),
        },
        {
          label: t('to'),
          value: (
            <>
              <Name row={transfer.program} /> · <Name row={transfer.faculty} />
            </>
          ),
        },
        { label: t('bylaw'), value: <Name row={transfer.bylaw} /> },
        { label: t('term'), value: <Name row={transfer.term} /> },
        { label: t('asked_on'), value: formatInstant(transfer.created_at) },
        ...(transfer.executed_at ? [{ label: t('executed_on'), value: formatInstant(transfer.executed_at) }] : []),
        { label: t('why'), value: <bdi>{transfer.why}</bdi>, wide: true },
        ...(transfer.decided_reason
          ? [{ label: t('reason'), value: <bdi>{transfer.decided_reason}</bdi>, wide: true }]
          : []),
      ]}
    />
  )
}
