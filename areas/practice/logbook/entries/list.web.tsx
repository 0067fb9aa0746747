import { Button } from '@mantine/core'
import { IconChartBar, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { Row } from '#kit/contract/resource.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { logbookEntry, logbookFlow, logbookSteps } from './entry.contract.ts'

const PinDialog = partDialog(async () => (await import('../confirm/pin-dialog.web.tsx')).PinDialog)
type EntryRow = Row<typeof logbookEntry> & { type: { name: string; name_local: string } | null }
const view = (status: readonly string[]) => `filters=${encodeURIComponent(JSON.stringify({ status }))}`

/** Entries of the logbooks that the reader may see: confirmed and rejected by who was on duty, one or many at once. */
export default resourceWeb(logbookEntry, {
  list: {
    useParts: () => {
      const t = useT('logbook')
      const me = useMe()
      const [setting, setSetting] = useState(false)
      const steps = useSteps(logbookFlow as never, logbookSteps as never, {
        name: (row: EntryRow) => (row.type ? nameOf(row.type) : ''),
        refreshes: ['/emtyaz/logbook', '/logbook-entries', '/users/work'],
      })
      return {
        actions: steps.actions as never,
        inline: steps.next as never,
        bulk: steps.bulk,
        beside: (
          <>
            <Button
              variant="default"
              component={Link}
              to={to('/emtyaz/logbooks/interns')}
              leftSection={<IconChartBar size={16} aria-hidden />}
            >
              {t('progress_of_all')}
            </Button>
            {me.can('confirm_logbook') && me.user.instructor_id !== null && (
              <Button
                variant="default"
                leftSection={<IconKey size={16} aria-hidden />}
                onClick={() => setSetting(true)}
              >
                {t('my_pin')}
              </Button>
            )}
          </>
        ),
        dialogs: <PinDialog opened={setting} onClose={() => setSetting(false)} />,
      }
    },
    rowHref: (row) => to('/emtyaz/logbooks/entries/:id', { id: row.id }),
    rowName: (row) => nameOf((row as EntryRow).type ?? { name: '', name_local: '' }),
    views: [
      { key: 'waiting', label: ['To be confirmed', 'مطلوب تأكيدها'], query: view(['entered']) },
      { key: 'confirmed', label: ['Confirmed', 'معتمدة'], query: view(['confirmed']) },
    ],
    empty: {
      title: ['No entries', 'لا توجد قيود'],
      text: ['What interns enter on their phones comes here.', 'يظهر هنا ما يسجله أطباء الامتياز من هواتفهم.'],
    },
  },
})
