import { Before } from './before-parts.web.tsx'

export default function DistributionOfTransfers() {
  return <Before types={[3]} />
}
