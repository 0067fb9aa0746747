import { Before } from './before-parts.web.tsx'

export default function DistributionOfApplicants() {
  return <Before types={[1]} />
}
