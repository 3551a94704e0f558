package profile

import (
	"flag"
	"io"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"firstscreen/e2e/link/aggregation"
	"firstscreen/e2e/link/fault"
	"firstscreen/e2e/link/police"
	"firstscreen/e2e/link/shape"
)

// Options is the parsed command line.
type Options struct {
	Profile       Profile
	Seed          uint64
	ControlSocket string // empty: the link chooses
	Far           string // a shell command line; empty: nothing runs at the far side
	Relay         string // the same, between the link and the second hop
	Near          []string
	Check         bool
	ListProfiles  bool
}

// Usage is the one-line help that bad options point to.
const Usage = "firstscreen-link [--profile NAME] [--down-rate|--up-rate BITS/S] [--down-delay|--up-delay MS] [--jitter MS] " +
	"[--loss FRACTION | --ber RATE | --gilbert GOOD-MS,BAD-MS,GOOD-LOSS,BAD-LOSS] [--air ampdu|fwp,FER[/FER/FER/FER][,STATIONS[,WINDOW/AGGREGATE]]] [--police BITS/S[,BURST-BYTES]] [--server-delay PREFIX=MS]... [--second-hop RTT-MS[,BITS/S] [--relay 'CMD ARG...']] [--queue BYTES|Np] [--seed N] [--control SOCKET] " +
	"[--no-check] [--far 'CMD ARG...'] -- NEAR-CMD ARG... | --list-profiles"

// Limits of what the emulator can do honestly. The rate is what one thread carried when measured (platform-facts.md: 3.6 Gbit/s), with
// room; the delays keep a nanosecond schedule far from overflow.
const (
	maxRateBitsPerSecond = 1_000_000_000
	minRateBitsPerSecond = 1_000
	maxDelayMs           = 60_000
	maxQueue             = 1 << 30
	minStateMs           = 1 // states shorter than a packet's transmission are independent loss
	maxStateMs           = 3_600_000
	maxStations          = 64
)

// Parse reads the command line without the program's name.
func Parse(arguments []string) (Options, error) {
	options := Options{Check: true, Seed: 1}
	base := DefaultName
	var overrides []func(*Profile) error

	flags := flag.NewFlagSet("firstscreen-link", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the error comes back as a value and is printed once, as JSON
	override := func(name string, apply func(p *Profile, value string) error) {
		flags.Func(name, "", func(value string) error {
			overrides = append(overrides, func(p *Profile) error {
				if err := apply(p, value); err != nil {
					return badOption("--%s %s: %v", name, value, err)
				}
				return nil
			})
			return nil
		})
	}

	flags.StringVar(&base, "profile", base, "")
	override("down-rate", func(p *Profile, v string) error { return parseRate(v, &p.Down.RateBitsPerSecond) })
	override("up-rate", func(p *Profile, v string) error { return parseRate(v, &p.Up.RateBitsPerSecond) })
	override("down-delay", func(p *Profile, v string) error { return parseNumber(v, maxDelayMs, &p.Down.DelayMs) })
	override("up-delay", func(p *Profile, v string) error { return parseNumber(v, maxDelayMs, &p.Up.DelayMs) })
	override("jitter", func(p *Profile, v string) error { return parseNumber(v, maxDelayMs, &p.Down.JitterMs, &p.Up.JitterMs) })
	override("loss", func(p *Profile, v string) error { return parseNumber(v, 1, &p.Down.Loss, &p.Up.Loss) })
	override("ber", parseBitErrors)
	override("gilbert", parseGilbert)
	override("air", parseAir)
	override("police", parsePolice)
	override("server-delay", parseServerDelay)
	override("second-hop", parseSecondHop)
	override("queue", parseQueue)
	flags.Uint64Var(&options.Seed, "seed", options.Seed, "")
	flags.StringVar(&options.ControlSocket, "control", "", "")
	flags.StringVar(&options.Far, "far", "", "")
	flags.StringVar(&options.Relay, "relay", "", "")
	flags.BoolVar(&options.ListProfiles, "list-profiles", false, "")
	flags.BoolFunc("no-check", "", func(string) error { options.Check = false; return nil })

	if err := flags.Parse(arguments); err != nil {
		return Options{}, badOption("%v", err)
	}
	if options.ListProfiles {
		return options, nil
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, pair := range [][2]string{{"loss", "gilbert"}, {"loss", "ber"}, {"ber", "gilbert"}, {"air", "loss"}, {"air", "ber"}, {"air", "gilbert"}} {
		if given[pair[0]] && given[pair[1]] {
			return Options{}, badOption("--%s and --%s say the same thing differently", pair[0], pair[1])
		}
	}
	profile, known := find(base)
	if !known {
		return Options{}, fault.New(fault.Option, "choose one of "+strings.Join(names(), ", "), "there is no profile %q", base)
	}
	for _, apply := range overrides {
		if err := apply(&profile); err != nil {
			return Options{}, err
		}
	}
	if options.Relay != "" && profile.SecondHop == nil {
		return Options{}, badOption("--relay stands before a --second-hop")
	}
	profile.settle()
	options.Profile = profile
	if options.Near = flags.Args(); len(options.Near) == 0 {
		return Options{}, badOption("no near command")
	}
	return options, nil
}

func badOption(format string, args ...any) error {
	return fault.New(fault.Option, "usage: "+Usage, format, args...)
}

type rangeError string

func (e rangeError) Error() string { return string(e) }

// parseNumber reads a number from 0 up to a limit into each target.
func parseNumber(text string, limit float64, targets ...*float64) error {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || value < 0 || value > limit {
		return rangeError("give a number from 0 to " + strconv.FormatFloat(limit, 'f', -1, 64))
	}
	for _, target := range targets {
		*target = value
	}
	return nil
}

func parseRate(text string, target *int64) error {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < minRateBitsPerSecond || value > maxRateBitsPerSecond {
		return rangeError("give whole bits a second from " + strconv.Itoa(minRateBitsPerSecond) + " to " + strconv.Itoa(maxRateBitsPerSecond))
	}
	*target = value
	return nil
}

// parseBitErrors takes the place of the profile's own loss.
func parseBitErrors(p *Profile, text string) error {
	p.Down.Loss, p.Up.Loss = 0, 0
	return parseNumber(text, 1, &p.Down.BitErrorRate, &p.Up.BitErrorRate)
}

func parseGilbert(p *Profile, text string) error {
	var model shape.Gilbert
	fields := strings.Split(text, ",")
	targets := []*float64{&model.GoodMs, &model.BadMs, &model.GoodLoss, &model.BadLoss}
	if len(fields) != len(targets) {
		return rangeError("give four numbers: mean ms of the good and of the bad state, loss in each as a fraction")
	}
	for i, limit := range []float64{maxStateMs, maxStateMs, 1, 1} {
		if err := parseNumber(fields[i], limit, targets[i]); err != nil {
			return err
		}
	}
	if min(model.GoodMs, model.BadMs) < minStateMs {
		return rangeError("a state lasts at least 1 ms on average; use --loss for independent loss")
	}
	p.Down.Gilbert, p.Up.Gilbert = &model, &model
	return nil
}

// parseAir puts the way down over the air: the scheme, the frame error rate (of all streams, or one each), the other stations, which are
// saturated and send A-MPDUs, and the size of A-MPDUs. It takes the place of the profile's own loss.
func parseAir(p *Profile, text string) (err error) {
	fields := strings.Split(text, ",")
	if len(fields) < 2 || len(fields) > 4 {
		return rangeError("give ampdu or fwp, a frame error rate, and maybe the number of other stations and the size of A-MPDUs, as ampdu,0.05,9,64/32")
	}
	air := shape.Air{Stations: aggregation.Stations{Others: aggregation.AMPDU}, Parameters: aggregation.Parameters{AMPDU: aggregation.StandardSize}}
	if air.Own, err = aggregation.ParseScheme(fields[0]); err != nil {
		return err
	}
	if air.FrameErrorRates, err = parseFrameErrorRates(fields[1]); err != nil {
		return err
	}
	if len(fields) > 2 {
		if air.OtherCount, err = strconv.Atoi(fields[2]); err != nil || air.OtherCount < 0 || air.OtherCount > maxStations {
			return rangeError("give a whole number of other stations, at most " + strconv.Itoa(maxStations))
		}
	}
	if len(fields) > 3 {
		if air.AMPDU, err = aggregation.ParseSize(fields[3]); err != nil {
			return err
		}
	}
	if err := air.Check(); err != nil {
		return err
	}
	p.Down.Air, p.Down.Loss, p.Up.Loss = &air, 0, 0
	return nil
}

func parseFrameErrorRates(text string) (rates [aggregation.Streams]float64, err error) {
	fields := strings.Split(text, "/")
	if len(fields) == 1 {
		err = parseNumber(fields[0], 1, &rates[0])
		return aggregation.SameOnAllStreams(rates[0]), err
	}
	if len(fields) != len(rates) {
		return rates, rangeError("give one frame error rate, or one for each of " + strconv.Itoa(len(rates)) + " streams")
	}
	for i, field := range fields {
		if err := parseNumber(field, 1, &rates[i]); err != nil {
			return rates, err
		}
	}
	return rates, nil
}

func parsePolice(p *Profile, text string) (err error) {
	rate, burst, hasBurst := strings.Cut(text, ",")
	var config police.Config
	if err := parseRate(rate, &config.RateBitsPerSecond); err != nil {
		return err
	}
	const bitsPerByte = 8
	config.BurstBytes = max(police.MinBurstBytes, int(float64(config.RateBitsPerSecond)*police.DefaultBurst.Seconds()/bitsPerByte))
	if hasBurst {
		if config.BurstBytes, err = strconv.Atoi(burst); err != nil || config.BurstBytes < police.MinBurstBytes || config.BurstBytes > maxQueue {
			return rangeError("give a burst of whole bytes, at least a packet of " + strconv.Itoa(police.MinBurstBytes))
		}
	}
	p.Police = &config
	return nil
}

func parseServerDelay(p *Profile, text string) error {
	prefix, delay, _ := strings.Cut(text, "=")
	var server ServerDelay
	var err error
	const longestBits = 30 // a prefix has a second address
	if server.Prefix, err = netip.ParsePrefix(prefix); err != nil || !server.Prefix.Addr().Is4() || server.Prefix.Bits() > longestBits {
		return rangeError("give IPv4 addresses and milliseconds, as 20.100.128.0/17=80")
	}
	if err := parseNumber(delay, maxDelayMs, &server.DelayMs); err != nil {
		return err
	}
	p.Servers = append(slices.Clip(p.Servers), server)
	return nil
}

// hopRateBitsPerSecond is the second hop's rate when none is given: of a data centre, as far as a check can measure it.
const hopRateBitsPerSecond = 100_000_000

func parseSecondHop(p *Profile, text string) error {
	rtt, rate, hasRate := strings.Cut(text, ",")
	hop := shape.Config{RateBitsPerSecond: hopRateBitsPerSecond}
	if err := parseNumber(rtt, maxDelayMs, &hop.DelayMs); err != nil {
		return err
	}
	hop.DelayMs /= 2
	if hasRate {
		if err := parseRate(rate, &hop.RateBitsPerSecond); err != nil {
			return err
		}
	}
	p.SecondHop = &hop
	return nil
}

func parseQueue(p *Profile, text string) error {
	number, inPackets := strings.CutSuffix(text, "p")
	limit, err := strconv.Atoi(number)
	if err != nil || limit < 1 || limit > maxQueue {
		return rangeError(`give bytes, or packets as in "50p", at least 1`)
	}
	for _, direction := range []*shape.Config{&p.Down, &p.Up} {
		direction.QueueBytes, direction.QueuePackets = limit, 0
		if inPackets {
			direction.QueueBytes, direction.QueuePackets = 0, limit
		}
	}
	return nil
}
