import { Suspense, isValidElement, useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { Anchor, Button, Progress } from '@mantine/core'
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react'
import type { Fields } from '#kit/contract/field.ts'
import { jobCalls } from '#kit/contract/kit.area.ts'
import { useCall, useChange } from '../api/index.ts'
import { Code, Problems, Status, notify } from '../feedback/index.ts'
import { fieldValue } from '../fields/cells.tsx'
import { sanitise } from '../fields/rich.ts'
import {
  formatNumber,
  initialsOf,
  nameOf,
  otherNameOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
} from '../i18n/index.ts'
import type { Named } from '../i18n/index.ts'
import { useShow } from '../list/cell.tsx'
import { Link, noteTabs, useSearchParams } from '../router/index.ts'
import css from './detail.module.css'

export { endOfJob } from './job-end.ts'
export interface Fact {
  readonly label: ReactNode
  readonly value: ReactNode
  /** Over all columns: long texts. */
  readonly wide?: boolean
}

/** Facts as label and value in columns; `short` values use two columns on a phone too. */
export const Facts = ({ items, short }: { items: readonly Fact[]; short?: boolean }) => (
  <dl className={css.facts} data-short={short || undefined}>
    {items.map((fact, i) => (
      <div key={i} data-wide={fact.wide || undefined}>
        <dt>{fact.label}</dt>
        <dd>{fact.value}</dd>
      </div>
    ))}
  </dl>
)

/** Facts of a row by its fields; `names` chooses and orders them. Formatted text is shown with its form. */
export function FactsOf({
  fields,
  row,
  names = Object.keys(fields),
  cells,
}: {
  fields: Fields
  row: Readonly<Record<string, unknown>>
  names?: readonly string[]
  cells?: Readonly<
    Record<
      string,
      (input: {
        value: unknown
        field: Fields[string]
        name: string
        row: Readonly<Record<string, unknown>>
        show: ReturnType<typeof useShow>
      }) => ReactNode
    >
  >
}) {
  const show = useShow()
  const say = useLabel()
  return (
    <Facts
      items={names
        .filter((name) => fields[name])
        .map((name) => {
          const field = fields[name]!
          const own = cells?.[name]
          const value = row[name]
          const rich = field.kind === 'richText' && typeof value === 'string'
          return {
            label: say(field.label),
            wide:
              field.kind === 'longText' || field.kind === 'richText' || field.kind === 'json' || field.kind === 'rows',
            value: own ? (
              own({ value, field, name, row, show })
            ) : rich ? (
              // Only allowed elements are left.
              <div dir="auto" dangerouslySetInnerHTML={{ __html: sanitise(value) }} />
            ) : field.kind === 'longText' && typeof value === 'string' ? (
              <span dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
                {value}
              </span>
            ) : (
              fieldValue(field, name, row, show)
            ),
          }
        })}
    />
  )
}

/** Who or what a detail is about: photo or initials, both names, code, status, two or three figures. */
export function Identity({
  row,
  photo,
  status,
  figures = [],
  line,
  titled,
}: {
  row: Named
  /** An address, or what shows it by itself; without it initials; false: nothing. */
  photo?: ReactNode
  status?: ReactNode
  figures?: readonly { readonly label: ReactNode; readonly value: ReactNode }[]
  line?: ReactNode
  /** The title line above already says the reader's name. */ titled?: boolean
}) {
  const lang = useLanguage()
  const name = nameOf(row, lang)
  const other = otherNameOf(row, lang)
  // A band that would only say the title again says nothing.
  if (titled && photo === false && !other && !row.code && !status && !line && !figures.length) return null
  return (
    <div className={css.identity}>
      {isValidElement(photo) ? (
        photo
      ) : typeof photo === 'string' && photo ? (
        <img className={css.photo} src={photo} alt="" />
      ) : photo === false ? null : (
        <span className={css.photo} aria-hidden="true">
          {initialsOf(name)}
        </span>
      )}
      <div className={css.who}>
        {!titled && (
          <strong>
            <bdi>{name}</bdi>
          </strong>
        )}
        {other && (
          <span className={titled ? css.otherTitle : css.other}>
            <bdi>{other}</bdi>
          </span>
        )}
        {(row.code || status || line) && (
          <div className={css.line}>
            {row.code && <Code>{row.code}</Code>}
            {status}
            {line}
          </div>
        )}
      </div>
      {figures.length > 0 && (
        <dl className={css.figures}>
          {figures.map((f, i) => (
            <div key={i}>
              <dt>{f.label}</dt>
              <dd>{f.value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Stands in for a part whose code is on its way. */
export const Coming = () => <div className={css.card} aria-busy="true" data-coming style={{ minBlockSize: 160 }} />

export interface ScreenTab {
  readonly key: string
  readonly label: ReactNode
  readonly count?: number
  /** Drawn only while its tab is open. */
  readonly content: ReactNode | (() => ReactNode)
}
/**
 * Tabs whose choice is in the address (`?tab=`), so that it can be shared and gone back to. @param props.keep keys of
 * the address that belong to all tabs
 */
export function ScreenTabs({
  tabs,
  name = 'tab',
  keep = [],
}: {
  tabs: readonly ScreenTab[]
  name?: string
  keep?: readonly string[]
}) {
  const t = useT('kit-screens')
  const [query, setQuery] = useSearchParams()
  const base = useId()
  const open = tabs.find((tab) => tab.key === query.get(name)) ?? tabs[0]
  useEffect(() => noteTabs(name), [name])
  if (!open) return null
  const go = (key: string) => {
    // What a list in the other tab put into the address is its own.
    const kept = [...query].filter(([at]) => keep.includes(at))
    setQuery(key === tabs[0]!.key ? kept : [...kept, [name, key]])
  }
  return (
    <div>
      <div className={`${css.tabs} no-print`} role="tablist" aria-label={t('tabs')}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            id={`${base}-${tab.key}`}
            type="button"
            role="tab"
            className={css.tab}
            aria-selected={tab === open}
            aria-controls={`${base}-panel`}
            tabIndex={tab === open ? 0 : -1}
            onClick={() => go(tab.key)}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
              if (!step) return
              event.preventDefault()
              const on = document.documentElement.dir === 'rtl' ? -step : step
              const next = tabs[(tabs.indexOf(tab) + on + tabs.length) % tabs.length]!
              go(next.key)
              document.getElementById(`${base}-${next.key}`)?.focus()
            }}
          >
            {tab.label}
            {tab.count !== undefined && <span className={css.tabCount}>{formatNumber(tab.count)}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${open.key}`} key={open.key}>
        {/* What a tab shows may be fetched only now. */}
        <Suspense fallback={<Coming />}>{typeof open.content === 'function' ? open.content() : open.content}</Suspense>
      </div>
    </div>
  )
}

/** One reason why something is not possible: what was found, and the step that unblocks it. */
export interface Reason {
  readonly code: string
  readonly text: ReactNode
  /** The value found, e.g. `CGPA 1.82`. */
  readonly found?: ReactNode
  readonly step?: { readonly label: ReactNode; readonly href: string }
}
/** What was refused, each reason with the value found, and the step that unblocks, as a link. */
export function Refusals({ title, reasons }: { title: ReactNode; reasons: readonly Reason[] }) {
  return (
    <div className={css.refusals} role="alert">
      <p>
        <IconAlertTriangle size={17} aria-hidden />
        {title}
      </p>
      <ul>
        {reasons.map((reason, i) => (
          <li key={`${reason.code}-${i}`}>
            <span>
              {reason.text} {reason.found !== undefined && <span className={css.found}>{reason.found}</span>}
            </span>
            {reason.step && (
              <Anchor component={Link} to={reason.step.href}>
                {reason.step.label}{' '}
                <IconArrowRight size={14} className="pointing" aria-hidden style={{ verticalAlign: '-2px' }} />
              </Anchor>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Follows a job until it is done: progress, a way to stop it, its refusal. The user can leave; the job continues. */
export function ProgressJob({
  id,
  label,
  onDone,
  cancellable = true,
}: {
  id: string
  label?: ReactNode
  onDone?: (result: unknown) => void
  cancellable?: boolean
}) {
  const { send } = useChange('/jobs')
  const t = useT('kit-screens')
  const told = useRef(false)
  const { data, error, refetch } = useCall(
    jobCalls.getJob,
    { params: { id } },
    {
      refetchInterval: (query) =>
        ['queued', 'running'].includes(query.state.data?.data.state ?? 'queued') ? 1000 : false,
    },
  )
  const job = data?.data
  useEffect(() => {
    if (job?.state !== 'done' || told.current) return
    told.current = true
    onDone?.(job.result)
  }, [job, onDone])
  if (error && !job) return <Problems error={error} />
  const running = !job || job.state === 'queued' || job.state === 'running'
  return (
    <output className={css.job}>
      <div className={css.jobLine}>
        <span>
          {label ?? job?.message ?? t('job_running')}
          {label && job?.message ? ` · ${job.message}` : ''}
        </span>
        {job?.state === 'done' && <Status is="done" label={t('job_done')} />}
        {job?.state === 'cancelled' && <Status is="cancelled" label={t('job_cancelled')} />}
        {job?.state === 'failed' && <Status is="failed" label={t('job_failed')} />}
        {running && cancellable && (
          <Button
            variant="subtle"
            size="xs"
            color="gray"
            onClick={() =>
              void send(jobCalls.cancelJob, { params: { id } })
                .then(() => refetch())
                .catch((problem: unknown) => notify.error(problem))
            }
          >
            {t('cancel')}
          </Button>
        )}
      </div>
      {running && (
        <Progress value={job?.progress ?? 0} animated={!job || job.progress === 0} aria-label={t('job_running')} />
      )}
      {job?.state === 'failed' && job.error && (
        <Refusals
          title={t('job_failed')}
          reasons={
            job.error.errors.length
              ? job.error.errors.map((p) => ({ code: p.code, text: problemText(p) }))
              : [{ code: job.error.message, text: problemText({ code: job.error.message, ...job.error.error }) }]
          }
        />
      )}
    </output>
  )
}
