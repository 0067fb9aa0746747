import { Button } from '@mantine/core'
import { IconArrowsJoin, IconUsersGroup } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may, useEvent } from '#kit/web/auth/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, notify } from '#kit/web/feedback/index.ts'
import { formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Link, to, useLocation, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { Composer } from '../composer.web.tsx'
import { MessageContent } from '../said.web.tsx'
import css from '../conversation.module.css'
import { Hours, Late } from './columns.web.tsx'
import { Queue, useQueue } from './queue.web.tsx'
import {
  TICKET_TYPES,
  OPEN_TICKET_STATES,
  ticketCalls,
  ticketFields,
  ticketFlow,
  ticketSteps,
} from './ticket.contract.ts'
import type { TicketDetail, TicketMessage } from './ticket.contract.ts'

const AnswerTexts = part(async () => (await import('./answers.web.tsx')).default)
const MoveDialog = part(async () => (await import('./move.web.tsx')).default)

/** One ticket: what was said, what can be done, and, for who answers, who asks. */
export default function Ticket() {
  const params = useParams()
  const id = Number(params.id ?? params.chat_id)
  const mine = useLocation().pathname.startsWith('/my-tickets')
  const t = useT('conversation')
  const { data, error, refetch } = useCall(ticketCalls.getTicket, { params: { id } })
  const [dialog, setDialog] = useState<'route' | 'merge' | null>(null)
  useEvent('notification', () => void refetch())
  useEvent('connected', () => void refetch())
  const steps = useSteps<never, never, TicketDetail>(ticketFlow as never, ticketSteps as never, {
    name: (row) => row.number,
    refreshes: ['/tickets', '/my-tickets'],
  })
  const ticket = data?.data
  // The list stands beside what the reader answers, wherever it was opened.
  const answers = !mine && may('handle_ticket') && (ticket === undefined || ticket.abilities.includes('note'))
  const queue = useQueue(id, answers)
  if (error && !ticket) {
    return (
      <Page title={t('ticket')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!ticket) {
    return (
      <Page title={null}>
        <div className={answers ? css.desk : undefined}>
          {answers && <Queue id={id} rows={queue.rows} others={queue.others} />}
          <Bone height={420} />
        </div>
      </Page>
    )
  }
  const able = (ability: string) => ticket.abilities.includes(ability)
  const waits = (state: string) => (OPEN_TICKET_STATES as readonly string[]).includes(state)
  /** What ends the waiting opens the next one. */
  const going = (one: RowAction | null): RowAction | null => {
    const to_ = one && ticketFlow.actions[one.key as keyof typeof ticketFlow.actions]
    const leads = to_ ? Object.values(to_.from).map((way) => (typeof way === 'string' ? way : way.to)) : []
    if (!one?.onSelect || !answers || !waits(ticket.status) || leads.some(waits)) return one
    const take = () => steps.take(ticket, one.key as never).then((done) => done && queue.leave())
    return { ...one, onSelect: () => void take() }
  }
  const next = going(steps.next(ticket))
  // Who asked ends it in the menu: what is done here is to answer.
  const main = mine && next?.key === 'close' ? null : next
  const menu: RowAction[] = [
    ...steps.actions(ticket).flatMap((one) => (one.key === main?.key ? [] : [going(one)!])),
    ...(able('route')
      ? [{ key: 'route', label: t('route'), icon: <IconUsersGroup size={15} />, onSelect: () => setDialog('route') }]
      : []),
    ...(able('merge')
      ? [{ key: 'merge', label: t('merge'), icon: <IconArrowsJoin size={15} />, onSelect: () => setDialog('merge') }]
      : []),
  ]
  const base = mine ? '/my-tickets/:id' : '/tickets/:id'
  return (
    <Page
      title={ticket.subject}
      subtitle={
        <Dotted>
          <Code>{ticket.number}</Code>
          <Name row={ticket.group} />
          <StateBadge flow={ticketFlow} state={ticket.status} />
          {ticket.late && !mine ? <Late /> : null}
        </Dotted>
      }
      action={main ? <MainButton action={{ ...main, icon: undefined }} /> : undefined}
      menu={menu.length ? <MenuItems actions={menu} /> : undefined}
    >
      <div className={answers ? css.desk : css.side}>
        {answers && <Queue id={id} rows={queue.rows} others={queue.others} />}
        <Stack>
          {ticket.merged_into && (
            <Card>
              <p className={css.text}>
                {t('merged_into')} <Link to={to(base, { id: ticket.merged_into.id })}>{ticket.merged_into.number}</Link>
              </p>
            </Card>
          )}
          <Said ticket={ticket} mine={mine} />
          {able('reply') && ticket.status !== 'closed' && <Answer ticket={ticket} notes={able('note')} />}
          {able('rate') && <Rating ticket={ticket} />}
        </Stack>
        <Stack>
          <About ticket={ticket} mine={mine} />
          <Card title={t('history')}>
            <StepHistory flow={ticketFlow as never} calls={ticketSteps} id={id} />
          </Card>
        </Stack>
      </div>
      {dialog && (
        <Suspense fallback={null}>
          <MoveDialog ticket={ticket} to={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </Page>
  )
}

/** A message: who, when, what, with its files. */
function Message({ message, own, internal }: { message: TicketMessage; own: boolean; internal: boolean }) {
  const t = useT('conversation')
  const lang = useLanguage()
  return (
    <li data-own={own || undefined} data-internal={internal || undefined}>
      <div className={css.who}>
        <strong>
          <bdi>{nameOf(message.author, lang)}</bdi>
        </strong>
        {internal && <span>{t('internal')}</span>}
        <small>
          <time dateTime={message.created_at}>{formatInstant(message.created_at)}</time>
        </small>
      </div>
      <MessageContent body={message.body} files={message.files} />
    </li>
  )
}

/** Whoever looks sees what his or her side said at the end. */
function Said({ ticket, mine }: { ticket: TicketDetail; mine: boolean }) {
  const t = useT('conversation')
  return (
    <ol className={css.said} aria-label={t('said')} aria-live="polite">
      {ticket.messages.map((one) => (
        <Message key={one.id} message={one} own={one.by_asker === mine} internal={one.internal} />
      ))}
    </ol>
  )
}

/** Where one replies, or writes a note that who asked never sees. */
function Answer({ ticket, notes }: { ticket: TicketDetail; notes: boolean }) {
  const t = useT('conversation')
  const [internal, setInternal] = useState(false)
  const { send } = useChange('/tickets', '/my-tickets')
  return (
    <Card>
      <Composer
        key={String(internal)}
        label={t(internal ? 'note' : 'reply')}
        action={t(internal ? 'note_save' : 'reply_send')}
        insert={(put) => notes && !internal && <AnswerTexts ticket={ticket} take={put} />}
        send={(body) => send(internal ? ticketCalls.note : ticketCalls.say, { params: { id: ticket.id }, body })}
        beside={
          notes && (
            <Button variant="default" onClick={() => setInternal(!internal)}>
              {t(internal ? 'to_reply' : 'to_note')}
            </Button>
          )
        }
      />
    </Card>
  )
}

const SCORES = [1, 2, 3, 4, 5]
function Rating({ ticket }: { ticket: TicketDetail }) {
  const t = useT('conversation')
  const { busy, go, send } = useChange('/tickets', '/my-tickets')
  return (
    <Card title={t('rate')} text={t('rate_text')}>
      <div className={css.scores} role="group" aria-label={t('rate')}>
        {SCORES.map((score) => (
          <Button
            key={score}
            variant={ticket.score === score ? 'filled' : 'default'}
            aria-pressed={ticket.score === score}
            disabled={busy}
            onClick={() =>
              void go(() => send(ticketCalls.rate, { params: { id: ticket.id }, body: { score } })).then(
                (done) => done && notify.done(t('rated')),
              )
            }
          >
            {formatNumber(score)}
          </Button>
        ))}
      </div>
    </Card>
  )
}

/** What is known of the ticket, and of who asks. */
function About({ ticket, mine }: { ticket: TicketDetail; mine: boolean }) {
  const t = useT('conversation')
  const say = useLabel()
  const type = TICKET_TYPES.find((ticketType) => ticketType.value === ticket.type)!
  const { student } = ticket
  return (
    <Card title={t('about')}>
      <Facts
        items={[
          { label: t('asker'), value: <Name row={ticket.asker} /> },
          ...(student
            ? [
                {
                  label: t('student'),
                  value: may('show_students') ? (
                    <Link to={to('/students/:id', { id: student.id })}>
                      <Code>{student.code}</Code>
                    </Link>
                  ) : (
                    <Code>{student.code}</Code>
                  ),
                },
                { label: t('program'), value: <Name row={student.program} /> },
                { label: t('level'), value: formatNumber(student.level) },
              ]
            : []),
          { label: say(ticketFields.type.label), value: say(type.label) },
          { label: say(ticketFields.created_at.label), value: formatInstant(ticket.created_at) },
          ...(mine
            ? []
            : [
                {
                  label: t('first_answer'),
                  value: <Hours minutes={ticket.responded_at ? ticket.response_minutes : null} />,
                },
                { label: t('target'), value: t('hours', { hours: formatNumber(ticket.targets.response) }) },
                {
                  label: t('resolution'),
                  value: <Hours minutes={ticket.resolved_at ? ticket.resolution_minutes : null} />,
                },
                {
                  label: t('target_resolution'),
                  value: t('hours', { hours: formatNumber(ticket.targets.resolution) }),
                },
              ]),
          ...(ticket.score
            ? [{ label: say(ticketFields.score.label), value: `${formatNumber(ticket.score)} / ${formatNumber(5)}` }]
            : []),
        ]}
      />
    </Card>
  )
}
