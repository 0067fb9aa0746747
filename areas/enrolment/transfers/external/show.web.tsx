import { Button } from '@mantine/core'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { IconFileText, IconPlus } from '@tabler/icons-react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Problems, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { formatInstant, paperLanguageOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { filled } from '#kit/web/router/load.tsx'
import { forgetUnsaved, useParams, useUnsaved } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory } from '#kit/web/workflow/index.ts'
import { useDrafts } from '../equivalence/draft.web.ts'
import { Equivalences } from '../equivalence/editor.web.tsx'
import { OutcomeCard } from '../equivalence/outcome.web.tsx'
import { papersOfTransfer } from '../outlets.contract.ts'
import css from '../transfers.module.css'
import { ChangeCourses } from './change.web.tsx'
import { EXTERNAL_KINDS, externalCalls, externalFields, externalFlow, externalSteps } from './external.contract.ts'
import type { ExternalDetail } from './external.contract.ts'
import { personOf, useExternalSteps } from './list.web.tsx'

const Papers = filled(papersOfTransfer)
type MenuAction = ComponentProps<typeof MenuItems>['actions'][number]

/** What a student passed elsewhere, what it counts as, and how the student would stand with it. */
export default function ExternalTransfer() {
  return <OneExternal id={Number(useParams().transfer_id)} />
}

/** The page of one record; `intro`: what stands above it, `more`: what else its menu has. */
export function OneExternal({ id, intro, more = [] }: { id: number; intro?: ReactNode; more?: readonly MenuAction[] }) {
  const t = useT('transfers')
  const { data, error, refetch } = useCall(externalCalls.externalTransfer, { params: { id } })
  if (error && !data)
    return (
      <Page title={t('external')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!data)
    return (
      <Page title={null}>
        <Bone height={420} />
      </Page>
    )
  return <Shown key={data.data.version} transfer={data.data} intro={intro} more={more} />
}

function Shown({ transfer, intro, more }: { transfer: ExternalDetail; intro: ReactNode; more: readonly MenuAction[] }) {
  const { id, equivalences: lines } = transfer
  const t = useT('transfers')
  const me = useMe()
  const steps = useExternalSteps()
  const person = personOf(transfer)
  const waits = transfer.status === 'entered'
  const edits = waits && me.can('edit_equivalence')
  const courses = useCall(externalCalls.externalProgramCourses, { params: { id }, body: {} }, { enabled: edits })
  const { drafts, change, sent, asked, changed } = useDrafts(lines)
  const outcome = useCall(
    externalCalls.externalOutcome,
    { params: { id }, body: { courses: asked } },
    { enabled: waits, placeholderData: keepPreviousData },
  )
  const { busy, problem, go, send } = useChange('/transfer')
  const open = transfer.against.some((one) => one.code === 'transfer_undecided')
  useUnsaved(changed)
  const save = async () => {
    const done = await go(() =>
      send(externalCalls.decideExternal, { params: { id }, body: { courses: sent, version: transfer.version } }),
    )
    if (!done) return
    forgetUnsaved()
    notify.done(t('decided'))
  }
  const next = steps.next(transfer)
  const [changing, setChanging] = useState(false)
  return (
    <Page
      title={person}
      subtitle={
        <Dotted>
          <Code>{person.code}</Code>
          <Name row={transfer.university} />
          <StateBadge flow={externalFlow} state={transfer.status} />
        </Dotted>
      }
      action={
        edits && (changed || open) ? (
          <Button loading={busy} onClick={() => void save()}>
            {t('decide')}
          </Button>
        ) : next ? (
          <MainButton action={{ ...next, icon: undefined }} />
        ) : undefined
      }
      menu={
        <MenuItems
          actions={[
            ...(edits
              ? [
                  {
                    key: 'courses',
                    label: t('change_courses'),
                    icon: <IconPlus size={15} aria-hidden />,
                    onSelect: () => setChanging(true),
                  },
                ]
              : []),
            ...more,
            ...steps.actions(transfer).filter((one) => one.key !== next?.key || changed || open),
            {
              key: 'paper',
              label: t('paper'),
              icon: <IconFileText size={15} aria-hidden />,
              onSelect: () =>
                void withOverlay(
                  download(externalCalls.externalDecision, { params: { id, lang: paperLanguageOf() } }),
                ).catch(notify.error),
            },
          ]}
        />
      }
    >
      <Stack>
        {problem !== null && <Problems error={problem} />}
        {intro}
        {changing && <ChangeCourses transfer={transfer} onClose={() => setChanging(false)} />}
        <About transfer={transfer} />
        <Papers student={transfer.student?.id ?? null} applicant={transfer.applicant?.id ?? null} />
        {transfer.against.length > 0 && (
          <Card title={t('against')} text={t('against_text')}>
            <ul className={css.groups}>
              {transfer.against.map((one) => (
                <li key={one.code}>{problemText(one)}</li>
              ))}
            </ul>
          </Card>
        )}
        <Card
          title={t('equivalence')}
          text={edits ? t('equivalence_text') : undefined}
          changed={changed}
          {...(edits && {
            action: (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => setChanging(true)}
              >
                {t('change_courses')}
              </Button>
            ),
          })}
        >
          {edits ? (
            <Equivalences
              lines={lines}
              drafts={drafts}
              courses={courses.data?.data ?? []}
              grades={transfer}
              onChange={change}
            />
          ) : (
            <Equivalences lines={lines} grades={transfer} />
          )}
        </Card>
        {waits && <OutcomeCard outcome={outcome.data?.data} busy={outcome.isFetching} />}
        <Card title={t('history')}>
          <StepHistory flow={externalFlow as never} calls={externalSteps} id={id} />
        </Card>
      </Stack>
    </Page>
  )
}

/** Where the student comes from, and into what. */
function About({ transfer }: { transfer: ExternalDetail }) {
  const t = useT('transfers')
  const say = useLabel()
  return (
    <Card title={t('external')}>
      <Facts
        items={[
          { label: say(externalFields.university_id.label), value: <Name row={transfer.university} /> },
          ...(transfer.university_faculty
            ? [
                {
                  label: say(externalFields.university_faculty_id.label),
                  value: <Name row={transfer.university_faculty} />,
                },
              ]
            : []),
          {
            label: say(externalFields.kind.label),
            value: say(EXTERNAL_KINDS.find((externalKind) => externalKind.value === transfer.kind)!.label),
          },
          ...(transfer.country ? [{ label: t('country'), value: <Name row={transfer.country} /> }] : []),
          {
            label: t('program'),
            value: (
              <>
                <Name row={transfer.program} /> · <Name row={transfer.faculty} />
              </>
            ),
          },
          { label: t('term'), value: <Name row={transfer.term} /> },
          ...(transfer.executed_at ? [{ label: t('executed_on'), value: formatInstant(transfer.executed_at) }] : []),
          ...(transfer.note ? [{ label: t('why'), value: <bdi>{transfer.note}</bdi>, wide: true }] : []),
          ...(transfer.files.length
            ? [
                {
                  label: t('papers'),
                  wide: true,
                  value: transfer.files.map((file) => (
                    <a key={file.id} href={file.url} target="_blank" rel="noreferrer">
                      <bdi>{file.name}</bdi>{' '}
                    </a>
                  )),
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}
