import { IconCopy, IconMail, IconMailOff, IconPin, IconPinnedOff, IconShare, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { ReportNameDialog, ScheduleDialog, ShareDialog } from './dialogs.web.tsx'
import { ownReportCalls, type OwnReport, type PinLooks } from './own.contract.ts'

/** What can be done with a report that is kept, and the dialogs of it. `gone`: it was removed. */
export function useOwnActions(gone: () => void = () => {}): {
  actions: (report: OwnReport) => RowAction[]
  dialogs: ReactNode
} {
  const t = useT('reports')
  const { send } = useChange('/own-reports')
  const [open, setOpen] = useState<{ what: 'share' | 'send' | 'copy'; report: OwnReport } | null>(null)
  const close = () => setOpen(null)
  const pin = (report: OwnReport, looks: PinLooks | null) =>
    act({
      go: () => send(ownReportCalls.pinOwnReport, { params: { id: report.id }, body: { looks } }),
      done: () => t(looks ? 'own_pinned' : 'own_unpinned', { name: report.name }),
      undo: () => send(ownReportCalls.pinOwnReport, { params: { id: report.id }, body: { looks: report.pinned } }),
    })
  const actions = (report: OwnReport): RowAction[] => {
    const icon = { size: 15, 'aria-hidden': true } as const
    const sent = report.schedule && !report.schedule.ended
    return [
      ...(['number', 'chart'] as const)
        .filter((looks) => report.pinned !== looks)
        .map((looks) => ({
          key: looks,
          label: t(looks === 'number' ? 'own_pin_number' : 'own_pin_chart'),
          icon: <IconPin {...icon} />,
          onSelect: () => void pin(report, looks),
        })),
      ...(report.pinned
        ? [
            {
              key: 'unpin',
              label: t('own_unpin'),
              icon: <IconPinnedOff {...icon} />,
              onSelect: () => void pin(report, null),
            },
          ]
        : []),
      {
        key: 'send',
        label: t(sent ? 'own_send_change' : 'own_send_weekly'),
        icon: <IconMail {...icon} />,
        onSelect: () => setOpen({ what: 'send', report }),
      },
      ...(sent
        ? [
            {
              key: 'end',
              label: t('own_send_end'),
              icon: <IconMailOff {...icon} />,
              onSelect: () =>
                void act({
                  go: () => send(ownReportCalls.endOwnSchedule, { params: { id: report.id } }),
                  done: () => t('own_send_ended', { name: report.name }),
                  undo: () => {
                    const { weekday, hour, file } = report.schedule!
                    return send(ownReportCalls.scheduleOwnReport, {
                      params: { id: report.id },
                      body: { weekday, hour, file },
                    })
                  },
                }),
            },
          ]
        : []),
      {
        key: 'copy',
        label: t('own_copy'),
        icon: <IconCopy {...icon} />,
        onSelect: () => setOpen({ what: 'copy', report }),
      },
      ...(report.by
        ? []
        : [
            {
              key: 'share',
              label: t('own_share_roles'),
              icon: <IconShare {...icon} />,
              onSelect: () => setOpen({ what: 'share', report }),
            },
            {
              key: 'remove',
              label: t('own_remove'),
              tone: 'refused' as const,
              icon: <IconTrash {...icon} />,
              onSelect: () =>
                void act({
                  go: async () => {
                    await send(ownReportCalls.removeOwnReport, { params: { id: report.id } })
                    gone()
                  },
                  done: () => t('own_removed', { name: report.name }),
                  undo: () => send(ownReportCalls.restoreOwnReport, { params: { id: report.id } }),
                }),
            },
          ]),
    ]
  }
  const dialogs = open && (
    <>
      {open.what === 'share' && <ShareDialog report={open.report} onClose={close} />}
      {open.what === 'send' && <ScheduleDialog report={open.report} onClose={close} />}
      {open.what === 'copy' && (
        <ReportNameDialog
          title={t('own_copy_title')}
          name={t('own_copy_of', { name: open.report.name }).slice(0, 80)}
          submit={t('own_copy_submit')}
          send={(name) => send(ownReportCalls.copyOwnReport, { params: { id: open.report.id }, body: { name } })}
          onClose={close}
        />
      )}
    </>
  )
  return { actions, dialogs }
}
