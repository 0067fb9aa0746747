import { Button, Menu, SegmentedControl } from '@mantine/core'
import { IconDeviceFloppy, IconRestore } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Failed, Problems, act } from '#kit/web/feedback/index.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MenuItems } from '#kit/web/list/main-button.tsx'
import { useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page, usePageTitle } from '#kit/web/shell/page.tsx'
import { fileActions } from '../financial/parts.web.tsx'
import { isWorkedOut, useKeptFigures, WorkedOut, WorkOutAgain } from '../figures/kept.web.tsx'
import { FIGURE_MEASURES, type MeasureKey } from '../figures/measures.contract.ts'
import { useOwnActions } from './actions.web.tsx'
import { useOwnAddress } from './address.web.ts'
import { Behind } from './behind.web.tsx'
import { rightOfMeasure, type OwnAsked } from './choices.rules.ts'
import { Choose } from './choose.web.tsx'
import { SaveDialog } from './dialogs.web.tsx'
import { beginWith } from './edit.rules.ts'
import { Narrow } from './narrow.web.tsx'
import { OWN_SHOWN, ownReportCalls, type OwnReport } from './own.contract.ts'
import { OwnSeen } from './seen.web.tsx'
import css from './own.module.css'

/** An own report: one that is kept, or a new one. */
export default function OwnReportScreen() {
  const { id } = useParams()
  return id && /^\d+$/.test(id) ? <Kept id={Number(id)} /> : <Fresh />
}

function Fresh() {
  const t = useT('reports')
  const { can } = useMe()
  // The first figure that the reader may see.
  const first = (Object.keys(FIGURE_MEASURES) as MeasureKey[]).find((key) => can(rightOfMeasure(key)))
  if (!first) return <Page title={t('own_new')}>{null}</Page>
  return <Put title={t('own_new')} asked={beginWith(first)} report={null} />
}

function Kept({ id }: { id: number }) {
  const { data, error, refetch } = useCall(ownReportCalls.ownReport, { params: { id } })
  usePageTitle(data?.data.name)
  if (error && !data)
    return (
      <Page title="">
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!data)
    return (
      <Page title={'\u00A0'} subtitle={'\u00A0'} wide>
        <Bone height={480} />
      </Page>
    )
  return <Put key={data.data.version} title={data.data.name} asked={data.data.asked} report={data.data} />
}

/** A report while it is looked at and put together. */
function Put({ title, asked: saved, report }: { title: string; asked: OwnAsked; report: OwnReport | null }) {
  const t = useT('reports')
  const lang = useLanguage()
  const address = useOwnAddress(saved, report?.shown ?? 'both')
  const { asked, cell } = address
  const kept = useKeptFigures('/own-reports/figures')
  const { data, error, refetch, isPlaceholderData } = useCall(
    ownReportCalls.ownFigures,
    { body: asked as never },
    { placeholderData: keepPreviousData, refetchInterval: kept.refetchInterval },
  )
  const seen = data?.data
  const again = (at: string) =>
    kept.again(at, (send) => send(ownReportCalls.ownFigures, { body: { ...(asked as object), fresh: true } as never }))
  const [choosing, setChoosing] = useState(report === null)
  const navigate = useNavigate()
  const { actions, dialogs } = useOwnActions(() => void navigate('/reports/own'))
  const { problem, go } = useChange()
  const files = fileActions(
    t,
    lang,
    (paper, type) =>
      void go(() =>
        download(ownReportCalls.ownFile, {
          params: { lang: paper, type },
          body: { name: title, asked: asked as never },
        }),
      ),
  )
  if (cell)
    return (
      <Page title={title} wide>
        <Behind address={address} cell={cell} seen={seen} />
      </Page>
    )
  return (
    <Page
      title={title}
      subtitle={
        report?.by ? (
          t('own_shared_by', { name: nameOf(report.by, lang) })
        ) : report && report.roles.length + report.people.length > 0 ? (
          <SharedWith report={report} />
        ) : undefined
      }
      action={<Saving {...{ address, report, title }} />}
      menu={
        <>
          <MenuItems actions={[files.main, ...files.menu]} />
          {report && (
            <>
              <Menu.Divider />
              <MenuItems actions={actions(report)} />
            </>
          )}
        </>
      }
      wide
    >
      <Stack busy={isPlaceholderData}>
        {problem !== null && <Problems error={problem} />}
        <div className={`${css.tools} no-print`}>
          <Button variant="default" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            {t(choosing ? 'own_choose_less' : 'own_choose')}
          </Button>
          <SegmentedControl
            aria-label={t('own_shown')}
            value={address.shown}
            onChange={(shown) => address.show(OWN_SHOWN.find((one) => one === shown) ?? 'both')}
            data={OWN_SHOWN.map((one) => ({ value: one, label: t(`own_shown_${one}`) }))}
          />
        </div>
        {choosing && (
          <Card label={t('own_put_together')}>
            <Choose address={address} />
          </Card>
        )}
        <Narrow address={address} seen={seen} />
        {isWorkedOut(error) && (!seen || isPlaceholderData) ? (
          <WorkedOut />
        ) : error && (!seen || !isPlaceholderData) ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : seen ? (
          <>
            <OwnSeen seen={seen} address={address} />
            {seen.kept && (
              <WorkOutAgain busy={kept.busy} problem={kept.problemWith(seen.at)} act={() => again(seen.at)} />
            )}
          </>
        ) : (
          <Bone height={480} />
        )}
      </Stack>
      {dialogs}
    </Page>
  )
}

function SharedWith({ report }: { report: OwnReport }) {
  const t = useT('reports')
  const lang = useLanguage()
  const say = useLabel()
  const names = [
    ...report.roles.map((role) => say([role.name, role.name_local]) || nameOf(role, lang)),
    ...report.people.map((one) => nameOf(one, lang)),
  ]
  return <>{t('own_shared_with', { roles: names.join(lang === 'ar' ? '، ' : ', ') })}</>
}

/** Keeps what was put together: under its name, or as a report of its own. */
function Saving({
  address,
  report,
  title,
}: {
  address: ReturnType<typeof useOwnAddress>
  report: OwnReport | null
  title: string
}) {
  const t = useT('reports')
  const { busy, send } = useChange('/own-reports')
  const navigate = useNavigate()
  const [naming, setNaming] = useState(false)
  const { asked, shown, changed, back } = address
  const mine = report && !report.by
  const save = () =>
    act({
      go: async () => {
        const { id, name, version } = report!
        await send(ownReportCalls.editOwnReport, {
          params: { id },
          body: { name, asked: asked as never, shown, version },
        })
        back()
      },
      done: () => t('own_saved', { name: title }),
      undo: () =>
        send(ownReportCalls.editOwnReport, {
          params: { id: report!.id },
          body: { name: report!.name, asked: report!.asked, shown: report!.shown },
        }),
    })
  if (report && !changed) return null
  return (
    <>
      {report && (
        <Button variant="default" leftSection={<IconRestore size={16} aria-hidden />} onClick={back}>
          {t('own_as_saved')}
        </Button>
      )}
      <Button
        loading={busy}
        leftSection={<IconDeviceFloppy size={16} aria-hidden />}
        onClick={() => (mine ? void save() : setNaming(true))}
      >
        {t(mine || !report ? 'own_save' : 'own_save_copy')}
      </Button>
      {naming && (
        <SaveDialog
          asked={asked}
          shown={shown}
          name={report ? t('own_copy_of', { name: title }).slice(0, 80) : ''}
          onSaved={({ id }) => void navigate(`/reports/own/${id}`)}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
