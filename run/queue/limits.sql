-- Limits that processes share. A holder is a process; its grants are its own while until is ahead.
CREATE TABLE IF NOT EXISTS assay_holders (
	holder text PRIMARY KEY,
	until  timestamptz NOT NULL
);

-- Micro-dollars of the budget of a run: spent was paid for, held is granted and not spent. The
-- holder '' has what was spent before the session began, and the time of its end: workers finish
-- their cases within the budget after that.
CREATE TABLE IF NOT EXISTS assay_money (
	run    text,
	holder text,
	held   bigint NOT NULL,
	spent  bigint NOT NULL,
	ended  timestamptz,
	PRIMARY KEY (run, holder)
);

-- Calls in flight to a provider: slots are granted, wants are those that the holder could use.
CREATE TABLE IF NOT EXISTS assay_slots (
	account text,
	holder  text,
	slots   integer NOT NULL,
	wants   integer NOT NULL,
	PRIMARY KEY (account, holder)
);

-- Requests and tokens that may have been sent to a provider up to a second of the epoch.
CREATE TABLE IF NOT EXISTS assay_rate (
	account  text,
	second   bigint,
	requests bigint NOT NULL,
	tokens   bigint NOT NULL,
	PRIMARY KEY (account, second)
);

-- When the next question of a run may be asked.
CREATE TABLE IF NOT EXISTS assay_pace (
	run  text PRIMARY KEY,
	next timestamptz NOT NULL
);

-- Requests whose replies are waited for, also by those who wait for the database meanwhile.
CREATE TABLE IF NOT EXISTS assay_asked (
	key    text PRIMARY KEY,
	holder text NOT NULL
);
