declare namespace App {
  /** What the sidecar gives a live page to show; absent when the page is prebuilt. */
  interface Locals {
    ask?: import('#api/almanac/page.ts').AskData;
    askRefusal?: import('#api/almanac/page-data.ts').QueryRefusal;
    audit?: import('#api/audits/page-data.ts').AuditPageData;
    auditCompare?: import('#api/audits/page-data.ts').AuditComparePageData;
    auditLook?: import('#api/audits/page-data.ts').AuditLookPageData;
    directory?: import('#api/directory/responses.ts').DirectoryList;
    /** Scores of each listed site by its id, the oldest first. */
    directoryTrends?: Record<string, readonly number[]>;
    directoryForm?: { url: string };
    directoryJoined?: import('#api/directory/page-data.ts').DirectoryJoined;
    directoryRefusal?: import('#api/directory/page-data.ts').DirectoryRefusal;
    guestbook?: import('#api/guestbook/page-data.ts').GuestbookPage;
    guestbookEntry?: import('#api/guestbook/responses.ts').GuestbookSingle;
    guestbookExcerpt?: import('#api/guestbook/live.ts').GuestbookExcerpt;
    guestbookRefusal?: import('#api/guestbook/page-data.ts').GuestbookRefusal;
    guestbookReceipt?: import('#api/guestbook/write.ts').Receipt;
    guestbookUnwithdrawn?: import('#api/guestbook/page-data.ts').WithdrawalRefusal;
    guestbookWithdrawn?: { id: string; note: string };
    newestSites?: import('#api/directory/responses.ts').DirectoryEntry[];
    identifyRefusal?: import('#api/almanac/page-data.ts').QueryRefusal;
    identified?: import('#api/almanac/page-data.ts').IdentifiedPageData;
    narrowedList?: import('#api/almanac/page-data.ts').NarrowedList;
    playbook?: import('#api/playbook/playbook.ts').Playbook;
    playbookKept?: readonly [name: string, value: string][];
    playbookProblem?: import('#api/contract/form-problem.ts').FormProblem;
    robots?: import('#api/almanac/page-data.ts').RobotsPageData;
  }
}
