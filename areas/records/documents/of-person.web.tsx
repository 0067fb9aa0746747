import { ActionIcon, Button, Menu, Select, Text } from '@mantine/core'
import { IconDots, IconFile, IconFilePlus, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import type { Ref } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Empty, Failed, Name, act, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatBytes, formatDate, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MenuItems } from '#kit/web/list/main-button.tsx'
import { dayOf } from '#kit/contract/day.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { StateBadge, askReason, useSteps } from '#kit/web/workflow/index.ts'
import css from './documents.module.css'
import { employeeDocuments } from './employees/employee-documents.contract.ts'
import { instructorDocuments } from './instructors/instructor-documents.contract.ts'
import { studentDocuments } from './students/student-documents.contract.ts'
import type { DocumentsOf as Documents, DocumentsOfPerson, GivenDocument } from './document.contract.ts'
import { DOCUMENT_FILES } from './document.rules.ts'

/** Whom a call means, as its body names the person. */
const whose = ({ holder_id }: Documents, list: DocumentsOfPerson) =>
  ({ [holder_id]: list.holder_id }) as unknown as { holder_id: number }

type OfKind = DocumentsOfPerson['kinds'][number]
type Row = GivenDocument & { readonly what: string }
const OF = { student: studentDocuments, employee: employeeDocuments, instructor: instructorDocuments } as const
type DocumentHolderKind = keyof typeof OF
/** The states, which are the same whose ever the documents are. */
const FLOW = studentDocuments.flow
const refreshes = ({ holder, document }: Documents): string[] => [
  holder.people,
  document.path,
  '/users/work',
  ...(holder.kind === 'student' ? ['/registrations'] : []),
]

/** What is required of a person and what was handed in; the own where no id is told. */
export function DocumentsOf({ kind: who = 'student', id }: { kind?: DocumentHolderKind; id?: number }) {
  const documents = OF[who] as Documents
  const t = useT('documents')
  const lang = useLanguage()
  const of = useCall(documents.calls.ofPerson, { params: { id: id ?? 0 } }, { enabled: id !== undefined })
  const mine = useCall(documents.calls.own, {}, { enabled: id === undefined })
  const { data, error, refetch } = id === undefined ? mine : of
  const { send } = useChange(...refreshes(documents))
  const [handing, setHanding] = useState<{ kind: Ref | null; expires: boolean } | null>(null)
  const [asking, setAsking] = useState(false)
  const steps = useSteps<string, string, Row>(documents.flow as never, documents.steps, {
    name: (row) => row.what,
    refreshes: refreshes(documents),
  })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const list = data.data
  const own = id === undefined
  // What lacks keeps students from registering, and nobody else from anything.
  const of_ = who === 'student' ? '' : '_staff'
  const waive = async (kind: Ref) => {
    const reason = await askReason({
      title: t(`waive_title${of_}`, { kind: nameOf(kind, lang) }),
      text: t(`waive_text${of_}`),
      action: t('waive'),
      danger: true,
    })
    if (reason === null) return
    await act({
      go: () => send(documents.calls.waive, { body: { ...whose(documents, list), kind_id: kind.id, reason } }),
      done: () => t('waived', { kind: nameOf(kind, lang) }),
    })
  }
  const more = list.may_hand_in && list.others.length > 0 && (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFilePlus size={16} aria-hidden />}
      onClick={() => setHanding({ kind: null, expires: false })}
    >
      {t('hand_in_more')}
    </Button>
  )
  const lacking = list.kinds.filter((one) => one.lacking)
  return (
    <Stack>
      <Card
        title={t('documents')}
        text={
          lacking.length
            ? t(own ? `lacking_own${of_}` : `lacking${of_}`, { count: lacking.length })
            : t(own ? 'complete_own' : 'complete')
        }
        aside={
          <div className={css.buttons}>
            {list.may_decide && list.others.length > 0 && (
              <Button variant="default" size="xs" onClick={() => setAsking(true)}>
                {t('ask')}
              </Button>
            )}
            {more}
          </div>
        }
      >
        {list.kinds.length === 0 ? (
          <Empty
            icon={<IconFile size={28} aria-hidden />}
            title={t('nothing_required')}
            text={t('nothing_required_text')}
          />
        ) : (
          <ul className={css.list}>
            {list.kinds.map((one) => (
              <Kind
                key={one.kind.id}
                of={one}
                list={list}
                steps={steps}
                onHandIn={() => setHanding({ kind: one.kind, expires: one.expires })}
                onWaive={() => void waive(one.kind)}
              />
            ))}
          </ul>
        )}
      </Card>
      {handing && <HandIn documents={documents} list={list} {...handing} own={own} onClose={() => setHanding(null)} />}
      {asking && <Ask documents={documents} list={list} texts={of_} onClose={() => setAsking(false)} />}
    </Stack>
  )
}

/** A kind with what there is of it: the newest in full, earlier ones beneath. */
function Kind({
  of: { kind, required, lacking, documents },
  list,
  steps,
  onHandIn,
  onWaive,
}: {
  of: OfKind
  list: DocumentsOfPerson
  steps: ReturnType<typeof useSteps<string, string, Row>>
  onHandIn: () => void
  onWaive: () => void
}) {
  const t = useT('documents')
  const lang = useLanguage()
  const [newest, ...earlier] = documents
  const open = documents.some(({ status }) => status === 'handed_in')
  const rows = documents.map((document): Row => ({ ...document, what: nameOf(kind, lang) }))
  const missing = newest === undefined || newest.status === 'owed'
  const handIn = t(documents.some(({ status }) => status === 'accepted') ? 'hand_in_newer' : 'hand_in')
  return (
    <li className={css.kind} data-lacking={lacking || undefined}>
      <div className={css.head}>
        <strong>
          <Name row={kind} />
        </strong>
        {required && <Text component="small">{t('required')}</Text>}
        {missing && (
          <span className={css.state}>
            <StateBadge flow={FLOW} state="owed" />
          </span>
        )}
        <div className={css.buttons}>
          {list.may_hand_in && !open && (
            <Button
              size="xs"
              variant={lacking ? 'filled' : 'default'}
              leftSection={<IconUpload size={14} aria-hidden />}
              aria-label={`${handIn}: ${nameOf(kind, lang)}`}
              onClick={onHandIn}
            >
              {handIn}
            </Button>
          )}
          {list.may_decide && missing && lacking && (
            <Button size="xs" variant="subtle" color="gray" onClick={onWaive}>
              {t('waive')}
            </Button>
          )}
        </div>
      </div>
      {!missing && <Given row={rows[0]!} steps={steps} />}
      {earlier.length > 0 && (
        <details className={css.earlier}>
          <summary>{t('earlier', { count: earlier.length })}</summary>
          {rows.slice(1).map((row) => (
            <Given key={row.id} row={row} steps={steps} />
          ))}
        </details>
      )}
    </li>
  )
}

function Given({ row, steps }: { row: Row; steps: ReturnType<typeof useSteps<string, string, Row>> }) {
  const t = useT('documents')
  const actions = steps.actions(row).filter(({ key }) => key !== 'hand_in' && key !== 'waive')
  const first = actions.filter(({ key }) => key === 'accept' || key === 'reject')
  const rest = actions.filter((one) => !first.includes(one) && !one.disabled)
  return (
    <div className={css.given}>
      <StateBadge flow={FLOW} state={row.status} />
      <span className={css.facts}>
        {row.file ? (
          <a href={row.file.url} target="_blank" rel="noreferrer">
            <IconFile size={14} aria-hidden /> <bdi>{row.file.name}</bdi> <small>{formatBytes(row.file.size)}</small>
          </a>
        ) : (
          row.status !== 'waived' && <span>{t('on_paper')}</span>
        )}
        {row.number && (
          <span>
            {t('number')} <Code>{row.number}</Code>
          </span>
        )}
        {row.expires_on && <span>{t('valid_until', { date: formatDate(row.expires_on) })}</span>}
        <span>{formatDate(dayOf(row.created_at))}</span>
        {row.reason && (
          <span className={css.reason} dir="auto">
            {row.reason}
          </span>
        )}
      </span>
      <span className={css.buttons}>
        {first.map((action) => (
          <Button
            key={action.key}
            size="xs"
            variant={action.key === 'accept' ? 'filled' : 'default'}
            disabled={Boolean(action.disabled)}
            title={action.disabled}
            onClick={() => action.onSelect?.()}
          >
            {action.label}
          </Button>
        ))}
        {rest.length > 0 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('more_actions', { kind: row.what })}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <MenuItems actions={rest} />
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
    </div>
  )
}

const FIELDS = {
  file_id: f.file(['File', 'الملف'], { accept: DOCUMENT_FILES }),
  number: f.text(['Number on it', 'الرقم المدوّن عليه'], { max: 60 }),
  expires_on: f.date(['Valid until', 'صالح حتى']),
}

/** A document is handed in: by the person with its file, at the desk perhaps on paper. */
function HandIn({
  documents,
  list,
  kind: given,
  expires,
  own,
  onClose,
}: {
  documents: Documents
  list: DocumentsOfPerson
  kind: Ref | null
  expires: boolean
  own: boolean
  onClose: () => void
}) {
  const t = useT('documents')
  const lang = useLanguage()
  const { send } = useChange(...refreshes(documents))
  const [chosen, setChosen] = useState<number | null>(given?.id ?? null)
  const other = list.others.find(({ id }) => id === chosen)
  const needsExpiry = given ? expires : (other?.expires ?? false)
  const fields = {
    ...FIELDS,
    ...(own && { file_id: { ...FIELDS.file_id, required: true } }),
    ...(needsExpiry && { expires_on: { ...FIELDS.expires_on, required: true } }),
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={given ? t('hand_in_kind', { kind: nameOf(given, lang) }) : t('hand_in_more')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        {!given && (
          <Select
            label={t('kind')}
            data={list.others.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
            searchable
            allowDeselect={false}
            onChange={(value) => setChosen(value === null ? null : Number(value))}
          />
        )}
        {chosen !== null && (
          <Form
            // What a kind asks for differs.
            key={chosen}
            fields={fields}
            bar="dialog"
            always
            submit={t('hand_in')}
            onCancel={onClose}
            onSave={(values) =>
              send(documents.calls.handIn, {
                body: {
                  ...whose(documents, list),
                  kind_id: chosen,
                  file_id: values.file_id as number | null,
                  number: (values.number as string | null) || null,
                  expires_on: (values.expires_on as string | null) || null,
                },
              })
            }
            onSaved={() => {
              notify.done(t(own ? 'handed_in_own' : 'handed_in'))
              onClose()
            }}
          />
        )}
        <Text size="sm" c="dimmed">
          {t(own ? 'hand_in_text' : 'hand_in_desk')}
        </Text>
      </Stack>
    </Dialog>
  )
}

/** One person is asked for a document that is not required of everybody. */
function Ask({
  documents,
  list,
  texts,
  onClose,
}: {
  documents: Documents
  list: DocumentsOfPerson
  texts: '' | '_staff'
  onClose: () => void
}) {
  const t = useT('documents')
  const { send } = useChange(...refreshes(documents))
  return (
    <Dialog opened onClose={onClose} title={t('ask')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Form
        fields={{
          kind_id: f.choice(
            ['Kind of document', 'نوع المستند'],
            list.others.map(({ id, name, name_local }) => ({ value: id, label: [name, name_local ?? name] as const })),
            { required: true },
          ),
        }}
        bar="dialog"
        always
        submit={t('ask')}
        onCancel={onClose}
        onSave={({ kind_id }) =>
          send(documents.calls.ask, { body: { ...whose(documents, list), kind_id: kind_id as number } })
        }
        onSaved={() => {
          notify.done(t(`asked${texts}`))
          onClose()
        }}
      />
      <Text size="sm" c="dimmed" mt="sm">
        {t(`ask_text${texts}`)}
      </Text>
    </Dialog>
  )
}
